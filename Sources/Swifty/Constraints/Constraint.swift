// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Dispatch

/// Something that must be true before a request is sent, and the way to make it true: having an access token, say.
///
/// Subclass it and override two methods:
///
///     final class OAuthConstraint: Constraint, @unchecked Sendable {
///         override func isConstraintSatisfied(for resource: NetworkResource) -> Bool {
///             TokenStore.shared.token != nil
///         }
///         override func satisfyConstraint(for resource: NetworkResource) {
///             Auth.token().load { result in
///                 TokenStore.shared.token = try? result.get()
///                 self.finish()
///             }
///         }
///     }
///
/// A constraint is satisfied by one flight at a time, however many loads wait for it. When the flight finishes well, the
/// load that caused it goes on, and the others are asked about once more; when it finishes with an error, all that waited
/// fail with it. Both methods run on Dispatch queues and may block: that delays only the loads that wait for this
/// constraint. Loads that are made inside of `satisfyConstraint` are not held by the same constraint.
// Safety: the only state is the gate, which has its own lock. Subclasses answer for theirs.
open class Constraint: @unchecked Sendable {
    let gate = ConstraintGate()

    /// The constraints that the current code is satisfying, each with the number of its flight.
    @TaskLocal static var flights: [ObjectIdentifier: Int] = [:]

    /// Makes a constraint.
    public init() {}

    /// Whether the request may be sent now. Asked for one request at a time; never on a thread of the cooperative pool.
    open func isConstraintSatisfied(for resource: NetworkResource) -> Bool {
        true
    }

    /// Starts to make the constraint true, and sees to it that ``finish(with:)`` is called when that is done.
    ///
    /// Not called again before that. May call `finish` before it returns, later, and from any thread.
    open func satisfyConstraint(for resource: NetworkResource) {
        finish()
    }

    /// How long one flight may take, 60 s unless overridden. Then all that wait fail with ``SwiftyError/Code/timedOut``.
    open var timeout: Duration { .seconds(60) }

    /// Ends the flight.
    ///
    /// A call without a flight, and a second call for the same flight, have no effect.
    ///
    /// - Parameter error: what all waiting loads fail with; `nil` if the constraint was satisfied.
    public final func finish(with error: (any Error)? = nil) {
        gate.finish(flight: Self.flights[ObjectIdentifier(self)], with: error.map(failure))
    }

    private func failure(_ error: any Error) -> SwiftyError {
        SwiftyError(
            .constraintFailed,
            stage: .constraint,
            reason: "\(type(of: self)) could not be satisfied: \(error)",
            underlying: error
        )
    }
}
