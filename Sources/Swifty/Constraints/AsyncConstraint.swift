// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// A condition that must hold before a request is sent, such as an access token, and the way to satisfy it.
///
///     struct SignIn: AsyncConstraint {
///         let store: TokenStore
///         func isSatisfied(for resource: NetworkResource) async -> Bool { await store.token != nil }
///         func satisfy(for resource: NetworkResource) async throws { try await store.renew() }
///     }
///
///     let swifty = Swifty { $0.use(SignIn(store: .shared)) }
///
/// It is a struct, a class, or an actor (whose `isKnownSatisfied`, `constraintName` and `timeout` are `nonisolated`).
///
/// A call of `satisfy` is a *flight*. There is one at a time, however many loads wait. When it returns, the load that
/// started it continues, and the constraint is asked again about the others; if it throws, the waiting loads fail. Its
/// task is cancelled when the last waiting load has left, and when it takes longer than ``timeout``. `Swifty`s that use
/// the same object (a class or an actor) have their flights in common; with a struct, each registration has separate
/// flights.
///
/// Loads that `satisfy` makes are not held by the constraint; see Docs/Constraints.md. Both methods run on the
/// cooperative pool, so they must not block; code that blocks belongs in a ``Constraint``.
public protocol AsyncConstraint: Swifty.Hook {
    /// The name of the constraint in errors and metrics, by default that of its type. Must not contain secrets. Read
    /// once, when the constraint is registered.
    var constraintName: String { get }

    /// The time limit of a flight, 60 s by default. After it all waiting loads fail with ``SwiftyError/Code/timedOut``.
    var timeout: Duration { get }

    /// Whether a load waits for the constraint again before each retry; `false` by default. It does so after the wait
    /// of the retry policy.
    var gatesRetries: Bool { get }

    /// Whether the request may be sent now, if this is known without any work.
    ///
    /// With `true`, ``isSatisfied(for:)`` is not called; with `false`, the default, it is. A constraint that only reads
    /// a value in memory implements this method, so that its loads need no other task. Called on the load's task, for
    /// several requests simultaneously. Must neither block nor load.
    func isKnownSatisfied(for resource: NetworkResource) -> Bool

    /// Whether the request may be sent now. Called for several requests simultaneously.
    func isSatisfied(for resource: NetworkResource) async -> Bool

    /// Satisfies the constraint. Not called again before it has returned or thrown, unless it takes longer than
    /// ``timeout``.
    ///
    /// - Throws: The error that all waiting loads fail with, as the underlying error of
    ///   ``SwiftyError/Code/constraintFailed``.
    func satisfy(for resource: NetworkResource) async throws

    /// Drops the credential that a server has refused.
    ///
    /// Called after an attempt with a response that may mean a refusal (401 or 403). A constraint with a credential
    /// compares that in `response.request` with its own, and drops its own if they are equal. Must neither block nor
    /// load. Its task is cancelled when the load ends.
    ///
    /// - Returns: `true` if this call or an earlier one has dropped the credential of the request: the load then waits
    ///   for its constraints again and sends the request once more, at most once for each load. `false` by default.
    func invalidate(after response: NetworkResponse) async -> Bool
}

extension AsyncConstraint {
    /// The name of the type.
    public var constraintName: String { "\(type(of: self))" }

    /// 60 s.
    public var timeout: Duration { .seconds(60) }

    /// `false`: a load waits once, before its first attempt.
    public var gatesRetries: Bool { false }

    /// `false`: ``isSatisfied(for:)`` is called.
    public func isKnownSatisfied(for resource: NetworkResource) -> Bool { false }

    /// `false`: the constraint has no credential.
    public func invalidate(after response: NetworkResponse) async -> Bool { false }
}
