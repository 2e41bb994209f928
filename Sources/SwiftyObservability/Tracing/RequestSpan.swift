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
    private let start = DefaultTracerClock.now
    private var response: (response: TransportResponse, end: DefaultTracerClock.Timestamp)?

    init(_ span: any Span) {
        self.span = span
    }

    mutating func receive(_ response: TransportResponse) {
        self.response = (response, DefaultTracerClock.now)
    }

    /// Ends the span of a request with its response, if it has one.
    func end() {
        guard let (response, end) = response else { return span.end() }
        describe(status: response.head.statusCode, error: nil, response.metrics)
        span.end(at: end)
    }

    /// Ends the span of a request that has failed, or whose content has ended, with its attempt.
    func end(_ attempt: LoadMetrics.Attempt) {
        describe(status: attempt.statusCode, error: attempt.errorCode, attempt.metrics)
        span.end()
    }

    private func describe(status: Int?, error: SwiftyError.Code?, _ metrics: TransferMetrics) {
        guard span.isRecording else { return }
        // A cancellation is the caller's wish, and no failure of the request.
        let error = error.flatMap { [.cancelled, .shutdown].contains($0) ? nil : $0.rawValue }
        let errorType = error ?? status.flatMap { $0 >= 400 ? "\($0)" : nil }
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
        metrics.addPhases(to: span, since: start)
        if errorType != nil { span.setStatus(SpanStatus(code: .error)) }
    }
}

extension TransferMetrics {
    /// Adds the phases that have happened to a span, each as an event at its beginning, with its duration in seconds.
    fileprivate func addPhases(to span: any Span, since start: DefaultTracerClock.Timestamp) {
        var time = queue
        func add(_ name: EventName, _ length: Duration) {
            guard length > .zero else { return }
            let duration = SpanAttribute.double(length / .seconds(1))
            let attributes: SpanAttributes = [AttributeName.duration: duration]
            span.addEvent(SpanEvent(name: name.rawValue, at: start.advanced(by: time), attributes: attributes))
            time += length
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
}
#endif
