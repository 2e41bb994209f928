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
/// constraint.
///
/// Loads that are made inside of `satisfyConstraint` are not held by the same constraint until the flight is over: what is
/// called there, what runs in a `Task` made there, and what is written there, on any queue. A load that is made elsewhere
/// after a hop to another queue or to a detached task must say `canHaveConstraints(false)`; otherwise the constraint waits
/// for itself, which is ended where it is noticed (Docs/Constraints.md says where), and else by the ``timeout``. The same
/// goes for loads that two constraints make while they are satisfied, if each is held by the other constraint.
///
/// ``AsyncConstraint`` is the form with `async` methods.
// Safety: the only state is the gate, which has its own lock. Subclasses answer for theirs.
open class Constraint: @unchecked Sendable {
    let gate = ConstraintGate()
    /// Made once, because it is asked for with every load.
    private let typeName: String

    /// The constraints that the current code is satisfying, each with the number of its flight; 0 while it is asked.
    @TaskLocal static var flights: [ObjectIdentifier: Int] = [:]

    /// Flights of which the current load belongs to one, and it is not known to which.
    @TaskLocal static var possibleFlights: Set<FlightID> = []

    /// Makes a constraint.
    public init() {
        typeName = "\(type(of: self))"
    }

    /// Where its flights are known while they are under way.
    var board: FlightBoard { .shared }

    /// What the constraint is called in errors and metrics: the name of its type unless overridden. No secrets.
    open var constraintName: String { typeName }

    /// Whether it is known without any work that the request may be sent now; if so, nothing else is asked.
    ///
    /// `false` unless overridden, which leaves the answer to ``isConstraintSatisfied(for:)``. A constraint that only looks at
    /// a value in memory answers here, and its loads are spared the way to a queue and back. Asked on the load's task, for
    /// several requests at the same time. Must neither block nor load.
    open func isKnownSatisfied(for resource: NetworkResource) -> Bool {
        false
    }

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

    /// Whether the response says that the credential which the request was sent with is no longer valid.
    ///
    /// Asked on the load's task, after each attempt that got a response which may mean that (401 and 403). An override
    /// compares what was sent, in `response.request`, with what it holds; if they are the same, it drops it. `true` means:
    /// that credential is gone, by this call or an earlier one; wait for this constraint again, and send the request once
    /// more. A load is repeated so at most once. Must not block. `false` unless overridden.
    open func invalidate(after response: NetworkResponse) -> Bool {
        false
    }

    /// How long one flight may take, 60 s unless overridden. Then all that wait fail with ``SwiftyError/Code/timedOut``.
    open var timeout: Duration { .seconds(60) }

    /// The method that makes the constraint true, as `#function` names it in the closures of that method, too.
    var satisfyingMethod: StaticString { Self.satisfyingMethod }

    /// The name of ``satisfyConstraint(for:)``.
    private static let satisfyingMethod: StaticString = "satisfyConstraint(for:)"

    /// Ends the flight.
    ///
    /// A call without a flight, and a second call for the same flight, have no effect.
    ///
    /// - Parameter error: what all waiting loads fail with; `nil` if the constraint was satisfied.
    public final func finish(with error: (any Error)? = nil) {
        gate.finish(flight: Self.flights[ObjectIdentifier(self)], with: error.map(failure))
    }

    /// Asks about one request: fetched when its turn comes, `nil` if nobody wants to know any more.
    func ask(
        on queue: DispatchQueue,
        about request: @escaping @Sendable () -> NetworkResource?,
        answer: @escaping @Sendable (Bool) -> Void
    ) {
        queue.async { [self] in
            guard let resource = request() else { return }
            answer(Self.$flights.withValue(flights(0)) { isConstraintSatisfied(for: resource) })
        }
    }

    /// Starts a flight, on a queue of its own: Dispatch has a thread for each of many serial queues that block, and only
    /// a few for the global ones.
    func start(flight: Int, for resource: NetworkResource) {
        DispatchQueue(label: "swifty.constraint.flight").async { [self] in
            Self.$flights.withValue(flights(flight)) { satisfyConstraint(for: resource) }
        }
    }
}

extension Constraint {
    /// Whether the current code is part of a flight of this constraint that is not over, or of its answer.
    final var isBeingSatisfiedHere: Bool {
        let flights = Self.flights
        guard !flights.isEmpty, let flight = flights[ObjectIdentifier(self)] else { return false }
        return flight == 0 || gate.isUnderWay(flight)
    }

    /// Whether a function has the name of one that satisfies constraints.
    static func isSatisfyingMethod(_ function: StaticString?) -> Bool {
        guard let function else { return false }
        return function.isEqual(to: satisfyingMethod) || function.isEqual(to: AsyncConstraint.satisfyingMethod)
    }

    /// The task-local value of code that belongs to a flight. What caused the flight is of no concern to it.
    final func flights(_ flight: Int) -> [ObjectIdentifier: Int] {
        [ObjectIdentifier(self): flight]
    }

    final func failure(_ error: any Error) -> SwiftyError {
        SwiftyError(
            .constraintFailed,
            stage: .constraint,
            reason: "\(constraintName) could not be satisfied: \(error)",
            underlying: error
        )
    }

    /// - Parameter passengers: the loads that came during the flight and wait for it, of which one may be its own.
    final func timeoutError(_ limit: Duration, passengers: [NetworkResource]) -> SwiftyError {
        var reason = "\(constraintName) did not finish within \(limit), \(Setting.constraintTimeout.limit)"
        if let first = passengers.first {
            let others = passengers.count > 1 ? " and \(passengers.count - 1) other loads" : ""
            reason += """
                , while it held \(first.draft.summary)\(others); a load that satisfies \(constraintName) must not wait for it \
                and needs canHaveConstraints(false)
                """
        }
        return SwiftyError(.timedOut, stage: .constraint, reason: reason)
    }

    /// The error of a load that is waited for by what holds it.
    static func circleError(_ names: String) -> SwiftyError {
        SwiftyError(
            .constraintFailed,
            stage: .constraint,
            reason: """
                \(names): this load is part of what satisfies it, and is held by it until that is done; \
                the load needs canHaveConstraints(false)
                """
        )
    }
}
