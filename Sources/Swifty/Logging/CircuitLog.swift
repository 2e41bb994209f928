// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Logging

/// Logs the circuit breakers of a `Swifty`.
struct CircuitLog: Swifty.StateObserver {
    let logger: Logger
    let level: Logger.Level

    func observe(_ change: Swifty.StateChange, of instance: Swifty.ObservedInstance) {
        guard case .circuit(let state, let origin) = change else { return }
        var metadata: Logger.Metadata = ["swifty.origin": "\(origin)", "swifty.circuit": "\(state.rawValue)"]
        metadata["swifty.instance"] = instance.name.map { .string($0) }
        logger.log(level: level, "\(message(state, origin))", metadata: metadata)
    }

    private func message(_ state: AdmissionPolicy.CircuitBreaker.State, _ origin: String) -> String {
        switch state {
        case .open: "the circuit breaker of \(origin) is open: its loads fail, and nothing is sent"
        case .halfOpen: "the circuit breaker of \(origin) lets probes pass"
        case .closed: "the circuit breaker of \(origin) is closed: its loads are sent again"
        }
    }
}
