// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

// Safety: adds no state to `Constraint`.
/// A ``Constraint`` with `async` methods.
///
///     final class SessionConstraint: AsyncConstraint, @unchecked Sendable {
///         override func isSatisfied(for resource: NetworkResource) async -> Bool {
///             await session.isOpen
///         }
///         override func satisfy(for resource: NetworkResource) async throws {
///             try await session.open(API.hello().load())
///         }
///     }
///
/// The flight ends when `satisfy` returns; if it throws, the waiting loads fail. The flight's task is cancelled when
/// the last waiting load has left, and when the flight takes longer than ``Constraint/timeout``. It runs on the
/// cooperative pool, so it must not block; code that blocks belongs in a ``Constraint``.
open class AsyncConstraint: Constraint, @unchecked Sendable {
    /// Whether the request may be sent now. Called for several requests simultaneously.
    open func isSatisfied(for resource: NetworkResource) async -> Bool {
        true
    }

    /// Satisfies the constraint. Not called again before it has returned or thrown, unless it takes longer than
    /// ``Constraint/timeout``.
    ///
    /// - Throws: The error that all waiting loads fail with, as the underlying error of
    ///   ``SwiftyError/Code/constraintFailed``.
    open func satisfy(for resource: NetworkResource) async throws {}

    /// Unavailable; override ``isSatisfied(for:)``.
    @available(*, unavailable, message: "override isSatisfied(for:)")
    public final override func isConstraintSatisfied(for resource: NetworkResource) -> Bool {
        super.isConstraintSatisfied(for: resource)
    }

    /// Unavailable; override ``satisfy(for:)``.
    @available(*, unavailable, message: "override satisfy(for:)")
    public final override func satisfyConstraint(for resource: NetworkResource) {
        super.satisfyConstraint(for: resource)
    }

    override var satisfyingMethod: StaticString { "satisfy(for:)" }

    override var askingExecutor: (any TaskExecutor)? { nil }

    override func answer(_ question: Int, about resource: NetworkResource) async -> Bool {
        await NetworkScope.runHook("isSatisfied(for:)", in: resource.draft.scope) {
            await asPart(of: question) { await isSatisfied(for: resource) }
        }
    }

    override func start(flight: Int, for resource: NetworkResource) {
        // The priority is the lowest that a probe raises; see ``FlightProbe``.
        let task = Task(priority: .medium) { [self] in
            do {
                try await NetworkScope.run(in: resource.draft.scope) {
                    try await asPart(of: flight) { try await satisfy(for: resource) }
                }
                gate.finish(flight: flight, of: self, with: nil)
            } catch {
                gate.finish(flight: flight, of: self, with: failure(error))
            }
        }
        gate.onEnd(ofFlight: flight) { task.cancel() }
        let id = FlightID(constraint: ObjectIdentifier(self), number: flight)
        gate.attach(FlightProbe(id, task), toFlight: flight)
    }
}
