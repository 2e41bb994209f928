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
        let tracings = configuration.tracings
        tracers.reserveCapacity(tracings.count + 1)
        for tracing in tracings {
            if let tracer = tracing.makeTracer(of: observed, mayRepeat: mayRepeat) { tracers.append(tracer) }
        }
        if let logger {
            let policy = configuration.logging
            tracers.append(LoadLog(state.draft, to: logger, policy: policy, instance: configuration.name))
        }
        if !tracers.isEmpty { isObserved = true }
    }

    /// The logger of the load, which the current task begins; `nil` logs nothing. Not a property of the configuration,
    /// which would be copied for it.
    private var logger: Logger? {
        guard configuration.logging.usesCurrentLogger else { return configuration.logger }
        let current = Logger.current
        // Without a logger of the task, swift-log has one without a label.
        return current.label.isEmpty ? configuration.logger : current
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
        tracers.isEmpty ? request : Self.traced(request, by: tracers)
    }

    @inline(never)
    static func traced(_ request: NetworkRequest, by tracers: [any Swifty.LoadTracer]) -> NetworkRequest {
        if tracers.isEmpty { return request }
        var fields = request.headers
        for tracer in tracers { tracer.send(request, fields: &fields) }
        return tracers.contains(where: \.addsFields) ? request.with(headers: fields) : request
    }

    /// Tells the tracers about the response of a request.
    @inline(__always)
    func traceResponse(_ response: @autoclosure () -> TransportResponse, isComplete: Bool = true) {
        if !tracers.isEmpty { tellTracers(response(), isComplete: isComplete) }
    }

    @inline(never)
    private func tellTracers(_ response: TransportResponse, isComplete: Bool) {
        for tracer in tracers { tracer.receive(response, isComplete: isComplete) }
    }
}
