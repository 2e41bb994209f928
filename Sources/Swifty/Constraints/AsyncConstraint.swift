// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Dispatch

/// A ``Constraint`` that is asked and satisfied by `async` methods.
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
/// Returning from `satisfy` ends the flight, throwing fails those that wait. Its task is cancelled when the last load that
/// waited is gone, and when the flight takes longer than ``Constraint/timeout``. It runs on the cooperative pool, so it must
/// not block; what blocks belongs into a ``Constraint``.
// Safety: adds no state to `Constraint`.
open class AsyncConstraint: Constraint, @unchecked Sendable {
    /// Whether the request may be sent now. May be asked for several requests at the same time.
    open func isSatisfied(for resource: NetworkResource) async -> Bool {
        true
    }

    /// Makes the constraint true. Not called again before it has returned or thrown, unless it takes longer than
    /// ``Constraint/timeout``.
    ///
    /// - Throws: what all waiting loads fail with: the underlying error of ``SwiftyError/Code/constraintFailed``.
    open func satisfy(for resource: NetworkResource) async throws {}

    /// Not available: the answer comes from ``isSatisfied(for:)``.
    @available(*, unavailable, message: "override isSatisfied(for:)")
    public final override func isConstraintSatisfied(for resource: NetworkResource) -> Bool {
        super.isConstraintSatisfied(for: resource)
    }

    /// Not available: the work is done by ``satisfy(for:)``.
    @available(*, unavailable, message: "override satisfy(for:)")
    public final override func satisfyConstraint(for resource: NetworkResource) {
        super.satisfyConstraint(for: resource)
    }

    override var satisfyingMethod: StaticString { Self.satisfyingMethod }

    /// The name of ``satisfy(for:)``.
    static let satisfyingMethod: StaticString = "satisfy(for:)"

    override func ask(
        on queue: DispatchQueue,
        about request: @escaping @Sendable () -> NetworkResource?,
        answer: @escaping @Sendable (Bool) -> Void
    ) {
        // Detached: the answer is about the request, whatever its load is part of.
        Task.detached { [self] in
            guard let resource = request() else { return }
            answer(await Self.$flights.withValue(flights(0)) { await isSatisfied(for: resource) })
        }
    }

    override func start(flight: Int, for resource: NetworkResource) {
        let task = Task.detached { [self] in
            do {
                try await Self.$flights.withValue(flights(flight)) { try await satisfy(for: resource) }
                gate.finish(flight: flight, with: nil)
            } catch {
                gate.finish(flight: flight, with: failure(error))
            }
        }
        gate.onEnd(ofFlight: flight) { task.cancel() }
        gate.keep(FlightProbe(FlightID(ObjectIdentifier(self), flight), task), ofFlight: flight)
    }
}
