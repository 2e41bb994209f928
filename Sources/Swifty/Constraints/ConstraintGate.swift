// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Synchronization

/// Holds the loads that wait for one constraint, and lets one flight at a time satisfy it.
final class ConstraintGate: Sendable {
    /// A load that is held, and what it is told.
    struct Waiter: Sendable {
        let resource: NetworkResource
        /// Called once, with `nil` when the load may go on.
        let proceed: @Sendable (SwiftyError?) -> Void
    }

    private let state = Mutex(GateState())
    /// Asks the constraint for one request at a time.
    private let askingQueue = DispatchQueue(label: "swifty.constraint")

    /// Lets a load through when the constraint is satisfied for it.
    ///
    /// - Returns: the waiter's number, for ``leave(_:)``.
    func admit(_ waiter: Waiter, through constraint: Constraint) -> Int {
        let number = state.withLock { $0.register(waiter) }
        ask(number, constraint)
        return number
    }

    /// Forgets a waiter: its load has ended otherwise. It is not called any more.
    func leave(_ number: Int) {
        _ = state.withLock { $0.forget(number) }
    }

    /// Ends the flight with this number, or the one under way if the caller cannot know its number.
    func finish(flight: Int?, with error: SwiftyError?) {
        let landing = state.withLock { $0.land(flight) }
        guard let landing else { return }
        if let error {
            for waiter in landing.allWaiters { waiter.proceed(error) }
        } else {
            landing.trigger?.proceed(nil)
            for number in landing.others { ask(number, landing.constraint) }
        }
    }

    private func ask(_ number: Int, _ constraint: Constraint) {
        askingQueue.async { [self] in
            guard let waiter = state.withLock({ $0.waiters[number] }) else { return }
            if constraint.isConstraintSatisfied(for: waiter.resource) {
                state.withLock { $0.forget(number) }?.proceed(nil)
            } else if let flight = state.withLock({ $0.board(number, constraint) }) {
                start(flight, constraint, for: waiter.resource)
            }
        }
    }

    private func start(_ flight: Int, _ constraint: Constraint, for resource: NetworkResource) {
        let limit = constraint.timeout
        let timeoutError = Self.timeoutError(constraint, limit)
        DispatchQueue.global().asyncAfter(deadline: .now() + .nanoseconds(limit.wholeNanoseconds)) { [weak self] in
            self?.finish(flight: flight, with: timeoutError)
        }
        DispatchQueue.global().async {
            let flights = Constraint.flights.merging([ObjectIdentifier(constraint): flight]) { $1 }
            Constraint.$flights.withValue(flights) { constraint.satisfyConstraint(for: resource) }
        }
    }

    private static func timeoutError(_ constraint: Constraint, _ limit: Duration) -> SwiftyError {
        SwiftyError(
            .timedOut,
            stage: .constraint,
            reason: "\(type(of: constraint)) did not finish within \(limit)"
        )
    }
}

extension Duration {
    /// The duration for Dispatch's timers, at most some 290 years.
    fileprivate var wholeNanoseconds: Int {
        let (seconds, attoseconds) = components
        let (nanoseconds, overflow) = Int(seconds).multipliedReportingOverflow(by: 1_000_000_000)
        return overflow ? .max : nanoseconds &+ Int(attoseconds / 1_000_000_000)
    }
}
