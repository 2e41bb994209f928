// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import SwiftySupport

// Safety: the only mutable state is the gate's, which has its own lock. Subclasses are responsible for theirs.
/// A condition that must hold before a request is sent, with methods that may block: the form of Flipkart's Swifty.
///
/// ``AsyncConstraint`` has the same rules and needs no subclass: begin with that one. Here two methods are overridden:
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
/// A call of `satisfyConstraint` and its work until ``finish(with:)`` is a *flight*. A constraint has one flight at a
/// time, however many loads wait for it. When the flight succeeds, the load that started it continues, and the
/// constraint is asked again about the other loads; when it fails, all waiting loads fail with its error. Both methods
/// run on Dispatch queues and may block: this delays only the loads that wait for this constraint.
///
/// A constraint does not hold the loads that belong to its own flight: those made in `satisfyConstraint`, in functions
/// that it calls, in a `Task` that it creates, and in the closures of such loads. A load that is made after a hop to
/// another queue, to a thread or to a detached task needs `constraints(.none)`. Otherwise the constraint waits for
/// itself; such a deadlock ends when it is detected (see Docs/Constraints.md), or else with the ``timeout``. The same
/// applies to loads that two constraints make in their flights, if each load is held by the other constraint.
open class Constraint: Swifty.Hook, @unchecked Sendable {
    let gate = ConstraintGate()
    /// The name of the type, made once because every load reads it.
    private let typeName: String

    /// The constraints whose flights, or whose questions (`isConstraintSatisfied`), the current code belongs to, with
    /// the number that the gate has given to the flight or the question.
    @TaskLocal static var flights: [ObjectIdentifier: Int] = [:]

    /// Makes a constraint.
    public init() {
        typeName = "\(type(of: self))"
    }

    var board: FlightBoard { .shared }

    /// The name of the constraint in errors and metrics, by default that of its type. Must not contain secrets.
    open var constraintName: String { typeName }

    /// Whether the request may be sent now, if this is known without any work.
    ///
    /// With `true`, ``isConstraintSatisfied(for:)`` is not called; with `false`, the default, it is. Override this
    /// method for a constraint that only reads a value in memory, so that its loads need no hop to a queue. Called on
    /// the load's task, for several requests simultaneously. Must neither block nor load.
    open func isKnownSatisfied(for resource: NetworkResource) -> Bool {
        false
    }

    /// Whether the request may be sent now. Called for one request at a time, never on a thread of the cooperative
    /// pool.
    open func isConstraintSatisfied(for resource: NetworkResource) -> Bool {
        true
    }

    /// Starts to satisfy the constraint; ``finish(with:)`` must be called when that is done.
    ///
    /// Not called again before that, unless the flight takes longer than the ``timeout``. `finish` may be called before
    /// this method returns or later, from any thread.
    open func satisfyConstraint(for resource: NetworkResource) {
        finish()
    }

    /// Drops the credential that a server has refused.
    ///
    /// Called on the load's task, after an attempt with a response that may mean a refusal (401 or 403). An override
    /// compares the credential in `response.request` with its own, and drops its own if they are equal. Must not block.
    ///
    /// - Returns: `true` if this call or an earlier one has dropped the credential of the request: the load then waits
    ///   for its constraints again and sends the request once more, at most once for each load. `false` by default.
    open func invalidate(after response: NetworkResponse) -> Bool {
        false
    }

    /// Whether a load waits for the constraint again before each retry; `false` by default. It does so after the wait
    /// of the retry policy.
    open var gatesRetries: Bool { false }

    /// The time limit of a flight, 60 s by default. After it all waiting loads fail with ``SwiftyError/Code/timedOut``.
    open var timeout: Duration { .seconds(60) }

    /// Ends the flight.
    ///
    /// A call without a flight, or a second call for the same flight, has no effect. A call that has lost its flight,
    /// since it comes from another queue or from a callback of another library, may be late: it may belong to a flight
    /// that has ended. So the constraint is asked about it, and unless it is satisfied, the call is ignored if the
    /// constraint was satisfied after earlier calls, or if a flight that has timed out still owes its own call. A
    /// callback that captures ``flight`` in `satisfyConstraint` and ends that one is exact.
    ///
    /// - Parameter error: The error that all waiting loads fail with; `nil` if the constraint was satisfied.
    public final func finish(with error: (any Error)? = nil) {
        gate.finish(flight: Self.flights[ObjectIdentifier(self)], of: self, with: error.map(failure))
    }

    /// The flight that the current code belongs to: inside ``satisfyConstraint(for:)``, in the functions that it calls,
    /// in a `Task` that it creates and in the closures of its loads; `nil` elsewhere.
    ///
    ///     override func satisfyConstraint(for resource: NetworkResource) {
    ///         let flight = flight
    ///         keychain.unlock { error in flight?.finish(with: error) }
    ///     }
    public final var flight: Flight? {
        Self.flights[ObjectIdentifier(self)].map { Flight(constraint: self, number: $0) }
    }

    /// One call of ``Constraint/satisfyConstraint(for:)`` and its work.
    public struct Flight: Sendable {
        fileprivate let constraint: Constraint
        fileprivate let number: Int

        /// Ends this flight, from any thread. A call after its end has no effect, even during a later flight.
        ///
        /// - Parameter error: The error that all waiting loads fail with; `nil` if the constraint was satisfied.
        public func finish(with error: (any Error)? = nil) {
            constraint.gate.finish(flight: number, of: constraint, with: error.map(constraint.failure))
        }
    }

    /// Has the credential dropped that a server has refused; see ``invalidate(after:)``.
    func dropCredential(after response: NetworkResponse) async -> Bool {
        invalidate(after: response)
    }

    /// The executor of the code that asks and of its answers; `nil` for the cooperative pool.
    var askingExecutor: (any TaskExecutor)? { gate.askingExecutor }

    /// Calls the method that says whether a request may be sent, as part of a question.
    func answer(_ question: Int, about resource: NetworkResource) async -> Bool {
        NetworkScope.call(in: resource.draft.scope) {
            asPart(of: question) { isConstraintSatisfied(for: resource) }
        }
    }

    /// Starts a flight, on a separate queue, because Dispatch gives each of many blocked serial queues a thread, but
    /// the global queues only a few.
    func start(flight: Int, for resource: NetworkResource) {
        let executor = QueueExecutor(DispatchQueue(label: "swifty.constraint.flight"))
        Task(executorPreference: executor, priority: .medium) { [self] in
            NetworkScope.call(in: resource.draft.scope) {
                asPart(of: flight) { satisfyConstraint(for: resource) }
            }
        }
    }
}

extension Constraint {
    /// Whether the current code is part of this constraint's flight in progress, or of a question that it is being
    /// asked.
    final var isBeingSatisfiedHere: Bool {
        let flights = Self.flights
        guard !flights.isEmpty, let number = flights[ObjectIdentifier(self)] else { return false }
        return gate.isUnderWay(number)
    }

    /// Runs code that belongs to a flight or a question of this constraint, and no longer to the flights and the hooks
    /// that its load was made in, nor to its caller's deadline: other loads also wait for it.
    final func asPart<Result>(of number: Int, _ body: () throws -> Result) rethrows -> Result {
        try Self.$flights.withValue([ObjectIdentifier(self): number]) {
            try CallerDeadline.$current.withValue(nil) {
                try HookMark.$current.withValue([], operation: body)
            }
        }
    }

    /// The same for asynchronous code.
    final func asPart<Result>(
        of number: Int,
        _ body: nonisolated(nonsending) () async throws -> Result
    ) async rethrows -> Result {
        try await Self.$flights.withValue([ObjectIdentifier(self): number]) {
            try await CallerDeadline.$current.withValue(nil) {
                try await HookMark.$current.withValue([], operation: body)
            }
        }
    }

    final func failure(_ error: any Error) -> SwiftyError {
        SwiftyError(
            .constraintFailed,
            stage: .constraint,
            reason: "\(constraintName) could not be satisfied: \(error)",
            underlying: error
        )
    }

    /// - Parameter passengers: The loads that have joined the flight, of which one may belong to the flight.
    final func timeoutError(_ limit: Duration, passengers: [NetworkResource]) -> SwiftyError {
        var reason = "\(constraintName) did not finish within \(limit), \(Setting.constraintTimeout.limit)"
        if let first = passengers.first {
            let others = passengers.count > 1 ? " and \(passengers.count - 1) other loads" : ""
            reason += """
                , while it held \(first.draft.summary)\(others); a load that satisfies \(constraintName) must not wait \
                for it and needs constraints(.none)
                """
        }
        var error = SwiftyError(.timedOut, stage: .constraint, reason: reason)
        error.timeLimit = .constraint
        return error
    }

    /// The error of a load that is held by a flight which waits for the load.
    static func selfWaitError(_ names: String) -> SwiftyError {
        SwiftyError(
            .constraintFailed,
            stage: .constraint,
            reason: """
                \(names): this load is held until the constraint is satisfied, and must finish to satisfy it; \
                the load needs constraints(.none)
                """
        )
    }
}
