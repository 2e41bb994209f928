// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Synchronization

/// One load's wait for all of its constraints.
///
/// The wait itself is a `DispatchGroup`, so it holds no thread. The first failure ends it.
final class ConstraintWait: Sendable {
    private struct Place {
        let gate: ConstraintGate
        let number: Int
    }

    private struct State {
        var places: [Int: Place] = [:]
        var open: Set<Int> = []
        var error: SwiftyError?
    }

    private let group = DispatchGroup()
    private let state = Mutex(State())

    /// Returns when all constraints are satisfied; they are asked at the same time.
    ///
    /// - Throws: the error of the first constraint that failed, or the reason for which the load was ended.
    static func untilSatisfied(
        _ constraints: [Constraint],
        for resource: NetworkResource,
        cancellation: LoadCancellation,
        deadline: Deadline?
    ) async throws(SwiftyError) {
        // What is being satisfied further up must not wait for itself.
        let relevant = constraints.filter { Constraint.flights[ObjectIdentifier($0)] == nil }
        if relevant.isEmpty { return }
        let wait = ConstraintWait()
        wait.enter(relevant, for: resource)
        cancellation.onCancel { code in
            wait.end(with: SwiftyError(code, stage: .constraint, reason: cancellation.explanation))
        }
        let timer = deadline?.whenReached {
            wait.end(
                with: SwiftyError(.timedOut, stage: .constraint, reason: SwiftyError.Code.timedOut.explanation)
            )
        }
        await wait.untilEmpty()
        timer?.cancel()
        cancellation.onCancel(nil)
        if let error = wait.state.withLock({ $0.error }) { throw error }
    }

    private func enter(_ constraints: [Constraint], for resource: NetworkResource) {
        state.withLock { $0.open = Set(constraints.indices) }
        for _ in constraints { group.enter() }
        for (index, constraint) in constraints.enumerated() {
            let waiter = ConstraintGate.Waiter(resource: resource) { [self] error in leave(index, error) }
            let number = constraint.gate.admit(waiter, through: constraint)
            keep(Place(gate: constraint.gate, number: number), index)
        }
    }

    /// Remembers where to withdraw from, unless that is over already.
    private func keep(_ place: Place, _ index: Int) {
        let isOpen = state.withLock { state in
            if state.open.contains(index) { state.places[index] = place }
            return state.open.contains(index)
        }
        if !isOpen { place.gate.leave(place.number) }
    }

    private func leave(_ index: Int, _ error: SwiftyError?) {
        if let error { return end(with: error) }
        let wasOpen = state.withLock { state in
            state.places[index] = nil
            return state.open.remove(index) != nil
        }
        if wasOpen { group.leave() }
    }

    /// Ends the wait for all constraints that are still open.
    private func end(with error: SwiftyError) {
        let (count, places) = state.withLock { state in
            defer { (state.open, state.places) = ([], [:]) }
            if !state.open.isEmpty, state.error == nil { state.error = error }
            return (state.open.count, Array(state.places.values))
        }
        for place in places { place.gate.leave(place.number) }
        for _ in 0..<count { group.leave() }
    }

    private func untilEmpty() async {
        await withCheckedContinuation { continuation in
            group.notify(queue: .global()) { continuation.resume() }
        }
    }
}
