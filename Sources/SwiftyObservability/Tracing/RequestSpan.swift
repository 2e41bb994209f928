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
    private var response: (status: Int, metrics: TransferMetrics, end: DefaultTracerClock.Timestamp)?

    init(_ span: any Span) {
        self.span = span
    }

    mutating func receive(_ head: ResponseHead, _ metrics: TransferMetrics) {
        response = (head.statusCode, metrics, DefaultTracerClock.now)
    }

    /// Ends the span of a request that another one follows, or that a stored response has replaced: with its response.
    func end() {
        guard let response else { return span.end() }
        describe(status: response.status, error: nil, response.metrics)
        span.end(at: response.end)
    }

    /// Ends the span of the last request of an attempt.
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
        for phase in metrics.phases(since: start) { span.addEvent(phase) }
        if errorType != nil { span.setStatus(SpanStatus(code: .error)) }
    }
}

extension TransferMetrics {
    /// The phases that have happened, each as an event at its beginning, with its duration in seconds.
    fileprivate func phases(since start: DefaultTracerClock.Timestamp) -> [SpanEvent] {
        let lengths = [
            ("swifty.name_lookup", nameLookup), ("swifty.connect", connect), ("swifty.tls", tls),
            ("swifty.first_byte", firstByte), ("swifty.receive", receive),
        ]
        var (time, events) = (queue, [SpanEvent]())
        for (name, length) in lengths where length > .zero {
            events.append(
                SpanEvent(
                    name: name,
                    at: start.advanced(by: time),
                    attributes: [AttributeName.duration: .double(length / .seconds(1))]
                )
            )
            time += length
        }
        return events
    }
}

extension DefaultTracerClock.Timestamp {
    fileprivate func advanced(by duration: Duration) -> DefaultTracerClock.Timestamp {
        let nanoseconds = max(duration / .nanoseconds(1), 0)
        return Self(nanosecondsSinceEpoch: nanosecondsSinceEpoch &+ (UInt64(exactly: nanoseconds.rounded()) ?? 0))
    }
}

extension RequestKind {
    /// The attributes that are known when a request is sent, by which tracers choose their samples.
    func attributes(of request: NetworkRequest, resends: Int) -> [String: SpanAttribute] {
        var attributes: [String: SpanAttribute] = [
            AttributeName.method: .string(method),
            AttributeName.serverAddress: .string(request.target.host),
            AttributeName.serverPort: .int64(Int64(request.target.port)),
            AttributeName.url: .string(request.redactor.uri(request.target)),
        ]
        if let template { attributes[AttributeName.template] = .string(template) }
        if let name { attributes[AttributeName.name] = .string(name) }
        if let originalMethod { attributes[AttributeName.originalMethod] = .string(originalMethod) }
        if resends > 0 { attributes[AttributeName.resendCount] = .int64(Int64(resends)) }
        return attributes
    }
}
#endif
