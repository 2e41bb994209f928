// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Logging

// What is told about a load: events to observers and tracers, requests and responses to tracers.

extension Load {
    /// Notifies the observers and tracers, if there are any.
    @inline(__always)
    func emit(_ event: @autoclosure () -> Swifty.Event) {
        if isObserved { notifyObservers(event) }
    }

    @inline(never)
    private func notifyObservers(_ event: () -> Swifty.Event) {
        let event = event()
        for tracer in tracers { tracer.observe(event) }
        if configuration.observers.isEmpty { return }
        for observer in configuration.observers { observer.observe(event, of: observed) }
    }

    /// Makes the tracers, and reports the beginning.
    @inline(__always)
    func reportBeginning() {
        if environment.isTraced { makeTracers() }
        emit(.created)
    }

    @inline(never)
    private func makeTracers() {
        let (observed, mayRepeat) = (observed, mayBeFollowed(nil))
        tracers = configuration.tracings.compactMap { $0.makeTracer(of: observed, mayRepeat: mayRepeat) }
        if let logger = configuration.loggerOfLoad {
            let policy = configuration.logging
            tracers.append(LoadLog(state.draft, to: logger, policy: policy, instance: configuration.name))
        }
        if !tracers.isEmpty { isObserved = true }
    }

    /// Reports a wait for constraints when it has become long, unless the result is cancelled before.
    func watchWait(for constraints: [Constraint]) -> LoadClock.Timer? {
        if !isObserved { return nil }
        let (tracers, observers, observed) = (tracers, configuration.observers, observed)
        return environment.watchdog.watch {
            let event = Swifty.Event.waitIsLong(for: constraints.map(\.constraintName))
            for tracer in tracers { tracer.observe(event) }
            for observer in observers { observer.observe(event, of: observed) }
        }
    }

    /// The request as the transport gets it, with the fields of the tracers.
    @inline(__always)
    func traced(_ request: NetworkRequest) -> NetworkRequest {
        tracers.isEmpty ? request : withTraceFields(request)
    }

    @inline(never)
    private func withTraceFields(_ request: NetworkRequest) -> NetworkRequest {
        var traced = request
        for tracer in tracers { traced.set(tracer.fields(sending: request)) }
        return traced
    }

    /// Tells the tracers about the response of a request.
    @inline(__always)
    func traceResponse(_ response: TransportResponse) {
        if !tracers.isEmpty { traceReceived(response.head, response.metrics) }
    }

    @inline(never)
    func traceReceived(_ head: ResponseHead, _ metrics: TransferMetrics) {
        for tracer in tracers { tracer.receive(head, metrics: metrics) }
    }
}

extension Swifty.Configuration {
    /// The logger of a load that the current task begins; `nil` logs nothing.
    fileprivate var loggerOfLoad: Logger? { logging.usesCurrentLogger ? Logger.current : logger }
}
