// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#if Observability
import HTTPTypes
import SwiftySupport
import Swifty
import SwiftyTransport
import Synchronization
import Tracing
import WebServiceDSL

/// The spans of one load.
final class LoadSpan: Swifty.LoadTracer {
    fileprivate struct State {
        /// The span of the load; `nil` if it has none.
        var span: (any Span)?
        var request: RequestSpan?
        var attempts = 0
        /// The number of requests that were sent.
        var sent = 0
        /// The origin of the attempt's first request.
        var origin: String?
        /// Whether a request of the attempt went to another origin.
        var hasLeftOrigin = false
        /// The beginning of the load, or that of the attempt after the first one, until its first request is sent.
        var beginning: DefaultTracerClock.Timestamp?
        /// The wait that is under way: for constraints, or for admission.
        var wait: Wait?
        /// The waits before the request, which become events of its span.
        var waits: [SpanEvent] = []
    }

    fileprivate struct Wait {
        /// In nanoseconds: the tracer learns that constraints are asked, and not whether they hold the load.
        private static let shortestWait: UInt64 = 1_000_000

        let name: EventName
        let start: DefaultTracerClock.Timestamp

        /// - Returns: `nil` for constraints that were satisfied when they were asked.
        func event(end: DefaultTracerClock.Timestamp) -> SpanEvent? {
            let nanoseconds = end.nanosecondsSinceEpoch - min(start.nanosecondsSinceEpoch, end.nanosecondsSinceEpoch)
            if name == .constraints, nanoseconds < Self.shortestWait { return nil }
            let seconds = Double(nanoseconds) / 1e9
            return SpanEvent(name: name.rawValue, at: start, attributes: [AttributeName.duration: .double(seconds)])
        }
    }

    private let draft: RequestDraft
    private let kind: RequestKind
    private let tracer: any Tracer
    private let parent: ServiceContext
    private let state: Mutex<State>

    init(_ draft: RequestDraft, _ tracer: any Tracer, hasLoadSpan: Bool) {
        (self.draft, self.tracer) = (draft, tracer)
        kind = RequestKind.of(draft)
        let (caller, now) = (ServiceContext.current ?? .topLevel, DefaultTracerClock.now)
        var state = State(beginning: now)
        if hasLoadSpan { state.span = tracer.startSpan(kind.spanName, context: caller, ofKind: .internal, at: now) }
        parent = state.span?.context ?? caller
        self.state = Mutex(state)
    }

    func observe(_ event: Swifty.Event) {
        switch event {
        case .waiting: begin(.constraints)
        case .queued: begin(.queue)
        case .attemptStarted: beginAttempt()
        case .attemptEnded(let attempt): endRequest(attempt)
        case .retryScheduled: endWait()
        case .finished(let response): finish(response)
        default: break
        }
    }

    private func begin(_ wait: EventName) {
        state.withLock { $0.wait = Wait(name: wait, start: DefaultTracerClock.now) }
    }

    private func beginAttempt() {
        state.withLock { state in
            state.endWait(DefaultTracerClock.now)
            state.attempts += 1
            (state.origin, state.hasLeftOrigin) = (nil, false)
            if state.attempts > 1 || state.span != nil {
                state.beginning = state.waitsBeginning ?? DefaultTracerClock.now
            }
        }
    }

    /// Ends the wait of an attempt that has failed in it, before the time until the next attempt begins.
    private func endWait() {
        state.withLock { $0.endWait(DefaultTracerClock.now) }
    }

    func send(_ request: NetworkRequest, fields: inout HTTPFields) {
        let now = DefaultTracerClock.now
        let (last, next, hasLeftOrigin) = state.withLock { state in
            state.endWait(now)
            state.visit(request.target.origin)
            let last = state.request.take()
            // A request begins with its waits, and the first one of an attempt with the attempt.
            let beginning = state.beginning ?? state.waitsBeginning ?? now
            state.beginning = nil
            let next = RequestSpan(begin(request, resends: state.sent, at: beginning), start: now)
            state.moveWaits(to: next.span)
            state.sent += 1
            state.request = next
            return (last, next, state.hasLeftOrigin)
        }
        last?.end()
        tracer.inject(next.span.context, into: &fields, using: FieldInjector(hasLeftOrigin: hasLeftOrigin))
    }

    private func begin(
        _ request: NetworkRequest,
        resends: Int,
        at beginning: DefaultTracerClock.Timestamp
    ) -> any Span {
        let span = tracer.startSpan(kind.spanName, context: parent, ofKind: .client, at: beginning)
        if span.isRecording { span.attributes = SpanAttributes(attributes(of: request, resends: resends)) }
        return span
    }

    /// The attributes that are known when a request is sent.
    private func attributes(of request: NetworkRequest, resends: Int) -> [String: SpanAttribute] {
        var attributes = kind.attributes(of: request.target)
        attributes[AttributeName.url] = .string(CleanURLs.text(of: request))
        if resends > 0 { attributes[AttributeName.resendCount] = .int64(Int64(resends)) }
        return attributes
    }

    func receive(_ response: TransportResponse, isComplete: Bool) {
        let ended = state.withLock { state in
            state.request?.receive(response, isComplete: isComplete)
            return isComplete ? state.request.take() : nil
        }
        ended?.end()
    }

    private func endRequest(_ attempt: LoadMetrics.Attempt) {
        let request = state.withLock { state in
            state.endWait(DefaultTracerClock.now)
            return state.request.take()
        }
        request?.end(attempt)
    }

    private func finish(_ response: NetworkResponse) {
        let (request, span, isUnsent, beginning) = state.withLock { state in
            // The wait in which the load has failed, if it has.
            state.endWait(DefaultTracerClock.now)
            defer { (state.request, state.span) = (nil, nil) }
            return (state.request, state.span, state.sent == 0, state.beginning)
        }
        request?.end()
        if let span {
            end(span, response)
        } else if isUnsent, let error = response.error, !error.code.isEndOfCaller {
            // What has failed before any request was sent would be in no trace at all.
            let start = beginning ?? DefaultTracerClock.now
            let span = tracer.startSpan(kind.spanName, context: parent, ofKind: .client, at: start)
            span.attributes[AttributeName.method] = kind.method
            state.withLock { $0.moveWaits(to: span) }
            end(span, response)
        }
    }

    private func end(_ span: any Span, _ response: NetworkResponse) {
        if span.isRecording {
            span.updateAttributes { attributes in
                attributes[AttributeName.template] = kind.template
                attributes[AttributeName.name] = kind.name
                attributes[AttributeName.attempts] = response.metrics.attempts.count
                attributes[AttributeName.source] = response.metrics.source.rawValue
                attributes[AttributeName.errorType] = ErrorType.ofLoad(response)
            }
            if let error = response.error, !error.code.isEndOfCaller {
                span.setStatus(SpanStatus(code: .error, message: error.description))
            }
        }
        span.end()
    }
}

extension LoadSpan.State {
    /// Records where a request goes. From the first one to another origin on, as with credentials, what follows is
    /// that server's choice, even if it leads back.
    fileprivate mutating func visit(_ next: String) {
        if let origin, origin != next { hasLeftOrigin = true }
        if origin == nil { origin = next }
    }

    /// Makes the wait that has ended an event of the load's span, or of the next request's.
    fileprivate mutating func endWait(_ now: @autoclosure () -> DefaultTracerClock.Timestamp) {
        guard let event = wait.take()?.event(end: now()) else { return }
        if let span { span.addEvent(event) } else { waits.append(event) }
    }

    /// The time at which the first of the waits before the next request began; `nil` without any.
    fileprivate var waitsBeginning: DefaultTracerClock.Timestamp? {
        waits.first.map { DefaultTracerClock.Timestamp(nanosecondsSinceEpoch: $0.nanosecondsSinceEpoch) }
    }

    fileprivate mutating func moveWaits(to span: any Span) {
        for wait in waits { span.addEvent(wait) }
        waits = []
    }
}

/// Writes what a tracer injects into fields.
private struct FieldInjector: Injector {
    /// Whether the request must not tell more than which trace it belongs to.
    let hasLeftOrigin: Bool

    func inject(_ value: String, forKey key: String, into carrier: inout HTTPFields) {
        // Baggage, and what other tracers have in place of it, may name the user or the tenant.
        if hasLeftOrigin, !Self.isOfTraceContext(key) { return }
        // A field that no message can have would fail the load.
        guard let name = Self.known[key] ?? HTTPField.Name(key), HTTPField.isValidValue(value) else { return }
        // A list (W3C Baggage §3.3), to which the caller may have added members.
        let isAdded = key == "baggage" && carrier.contains(name)
        carrier[name] = isAdded ? "\(carrier[name] ?? ""),\(value)" : value
    }

    private static func isOfTraceContext(_ key: String) -> Bool {
        ["traceparent", "tracestate"].contains(key.lowercased())
    }

    /// The fields of W3C Trace Context and Baggage, whose names need not be parsed each time.
    private static let known: [String: HTTPField.Name] = [
        "traceparent": .literal("traceparent"), "tracestate": .literal("tracestate"), "baggage": .literal("baggage"),
    ]
}
#endif
