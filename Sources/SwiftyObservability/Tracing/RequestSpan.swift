// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#if Observability
import Swifty
import SwiftyTransport
import Tracing
import WebServiceDSL

/// The span of a request on the wire.
struct RequestSpan: Sendable {
    let span: any Span
    /// The time at which the request was given to the transport.
    private let start: DefaultTracerClock.Timestamp
    private var response: (response: TransportResponse, end: DefaultTracerClock.Timestamp)?
    /// Whether the content arrives after the head, at the pace of its reader.
    private var isStreamed = false

    init(_ span: any Span, start: DefaultTracerClock.Timestamp) {
        (self.span, self.start) = (span, start)
    }

    mutating func receive(_ response: TransportResponse, isComplete: Bool) {
        self.response = (response, DefaultTracerClock.now)
        isStreamed = !isComplete
    }

    /// Ends the span of a request with its response, if it has one.
    func end() {
        guard let (response, end) = response else { return span.end() }
        describe(status: response.head.statusCode, error: nil, response.metrics, end: end)
        span.end(at: end)
    }

    /// Ends the span of a request that has failed, or whose content has ended, with its attempt.
    func end(_ attempt: LoadMetrics.Attempt) {
        let end = DefaultTracerClock.now
        describe(status: attempt.statusCode, error: attempt.errorCode, attempt.metrics, end: end)
        span.end(at: end)
    }

    private func describe(
        status: Int?,
        error: SwiftyError.Code?,
        _ metrics: TransferMetrics,
        end: DefaultTracerClock.Timestamp
    ) {
        guard span.isRecording else { return }
        let errorType = ErrorType.ofRequest(error, status: status)
        // A cancellation is the caller's wish, and no failure of the request.
        let isFailed = errorType != nil && (status != nil || error?.isEndOfCaller != true)
        span.updateAttributes { attributes in
            if let status { attributes.set(AttributeName.statusCode, value: .int64(Int64(status))) }
            if let errorType { attributes.set(AttributeName.errorType, value: .string(errorType)) }
            if let version = metrics.httpVersion {
                attributes.set(AttributeName.protocolVersion, value: .string(version.rawValue))
            }
            if !metrics.remoteAddress.isEmpty {
                attributes.set(AttributeName.peerAddress, value: .string(metrics.remoteAddress))
                attributes.set(AttributeName.peerPort, value: .int64(Int64(metrics.remotePort)))
            }
            if metrics.requestContentBytes > 0 {
                attributes.set(AttributeName.requestBodySize, value: .int64(Int64(metrics.requestContentBytes)))
            }
            if status != nil {
                attributes.set(AttributeName.responseBodySize, value: .int64(Int64(metrics.responseContentBytes)))
            }
        }
        metrics.addPhases(to: span, from: start, until: end, isStreamed: isStreamed)
        if isFailed { span.setStatus(SpanStatus(code: .error)) }
    }
}

extension TransferMetrics {
    /// Adds the phases that have happened to a span, each as an event at its beginning, with its duration in seconds.
    ///
    /// The transfer may have begun later than its request, if hedging has sent it, or earlier, if the request has
    /// joined it. So it is its end that both have in common; only content that is read at leisure arrives before. What
    /// was before the request is left out.
    fileprivate func addPhases(
        to span: any Span,
        from start: DefaultTracerClock.Timestamp,
        until end: DefaultTracerClock.Timestamp,
        isStreamed: Bool
    ) {
        let length = queue + nameLookup + connect + tls + firstByte + receive
        if length == .zero { return }
        // In relation to the start of the request.
        var time = (isStreamed ? .zero : start.duration(until: end) - max(total, length)) + queue
        func add(_ name: EventName, _ length: Duration) {
            let begin = max(time, .zero)
            time += length
            guard time > begin else { return }
            let attributes: SpanAttributes = [AttributeName.duration: .double((time - begin) / .seconds(1))]
            span.addEvent(SpanEvent(name: name.rawValue, at: start.advanced(by: begin), attributes: attributes))
        }
        add(.nameLookup, nameLookup)
        add(.connect, connect)
        add(.tls, tls)
        add(.firstByte, firstByte)
        add(.receive, receive)
    }
}

extension DefaultTracerClock.Timestamp {
    fileprivate func advanced(by duration: Duration) -> DefaultTracerClock.Timestamp {
        let nanoseconds = max(duration / .nanoseconds(1), 0)
        return Self(nanosecondsSinceEpoch: nanosecondsSinceEpoch &+ (UInt64(exactly: nanoseconds.rounded()) ?? 0))
    }

    /// Not negative, even if the system's clock was set back meanwhile.
    fileprivate func duration(until end: DefaultTracerClock.Timestamp) -> Duration {
        let (one, other) = (nanosecondsSinceEpoch, end.nanosecondsSinceEpoch)
        return .nanoseconds(Int64(clamping: other - min(one, other)))
    }
}
#endif
