// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

extension Swifty {
    /// A hook that is told about the state of a `Swifty` that belongs to no single load. It is registered with a
    /// `Swifty`, and not with a request.
    public protocol StateObserver: Hook {
        /// Called after each change, one call at a time, with the state at the time of the call: of changes that follow
        /// each other quickly, the last one may be reported twice, and an earlier one not at all. Must neither block
        /// nor load.
        func observe(_ change: StateChange, of instance: ObservedInstance)
    }

    /// The `Swifty` of a change.
    public struct ObservedInstance: Sendable, Hashable {
        /// The number of the `Swifty`, in the order in which the process has made them, from 1.
        public let number: Int
        /// Its ``Configuration/name``.
        public let name: String?
    }

    /// A change of the state of a `Swifty`.
    public enum StateChange: Sendable, Hashable {
        /// The circuit breaker of an origin, such as `https://example.com`, opens, lets probes pass, or closes.
        case circuit(AdmissionPolicy.CircuitBreaker.State, origin: String)
        /// The number of hooks that still run although their loads have ended.
        case hooksLeftBehind(Int)
        /// The connections, every few seconds, and for a last time when the `Swifty` has ended.
        case connections(ConnectionSample)
    }

    /// The connections of the transport of a `Swifty` at one moment.
    public struct ConnectionSample: Sendable, Hashable {
        /// The number of the transport: that of its `Swifty`, or 0 for the one that instances with default settings
        /// share.
        public let transport: Int
        /// The connections.
        public let statistics: ConnectionStatistics
        /// Those that have ended since the last sample of any instance with this transport.
        public let closed: [ClosedConnection]
    }
}

/// Tells the state observers of a `Swifty` what has changed.
final class StateReporter: Sendable {
    /// Reads the state when it is reported, so that the last report has the last state; `nil` reports nothing.
    typealias Reading = @Sendable () -> Swifty.StateChange?

    private struct State {
        var waiting: [Reading] = []
        var isReporting = false
    }

    private let observers: [any Swifty.StateObserver]
    private let instance: Swifty.ObservedInstance
    private let state = Mutex(State())

    init(_ observers: [any Swifty.StateObserver], of instance: Swifty.ObservedInstance) {
        (self.observers, self.instance) = (observers, instance)
    }

    /// Reports a change, after those before it. No lock is held meanwhile: an observer may cause another change, which
    /// is then reported by the call that is under way.
    func report(_ reading: @escaping Reading) {
        if observers.isEmpty { return }
        let isFirst = state.withLock { state in
            state.waiting.append(reading)
            defer { state.isReporting = true }
            return !state.isReporting
        }
        guard isFirst else { return }
        while let next = takeNext() {
            guard let change = next() else { continue }
            for observer in observers { observer.observe(change, of: instance) }
        }
    }

    private func takeNext() -> Reading? {
        state.withLock { state in
            if state.waiting.isEmpty {
                state.isReporting = false
                return nil
            }
            return state.waiting.removeFirst()
        }
    }
}
