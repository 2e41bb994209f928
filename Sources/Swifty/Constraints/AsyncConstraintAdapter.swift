// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Holds loads until an ``AsyncConstraint`` is satisfied, and runs its flights.
// Safety: adds only immutable state to `Constraint`.
final class AsyncConstraintAdapter: Constraint, @unchecked Sendable {
    private struct Entry {
        weak var adapter: AsyncConstraintAdapter?
    }

    /// The adapters of objects: one for each, so that the `Swifty`s that share an object share its flights.
    private static let adapters = Mutex<[ObjectIdentifier: Entry]>([:])

    let base: any AsyncConstraint
    private let name: String
    private let ownBoard: FlightBoard

    /// The adapter of a constraint: a new one, or that of the same object.
    static func of(_ base: any AsyncConstraint) -> AsyncConstraintAdapter {
        guard let object = identifier(of: base) else { return AsyncConstraintAdapter(base) }
        return adapters.withLock { adapters in
            if let adapter = adapters[object]?.adapter { return adapter }
            let adapter = AsyncConstraintAdapter(base)
            adapters[object] = Entry(adapter: adapter)
            return adapter
        }
    }

    init(_ base: any AsyncConstraint, board: FlightBoard = .shared) {
        self.base = base
        name = base.constraintName
        ownBoard = board
        super.init()
    }

    deinit {
        guard let object = Self.identifier(of: base) else { return }
        Self.adapters.withLock { adapters in
            // Another adapter of the object may have taken the place since.
            if adapters[object]?.adapter == nil { adapters[object] = nil }
        }
    }

    /// `nil` for a value, which has no identity.
    private static func identifier(of base: any AsyncConstraint) -> ObjectIdentifier? {
        type(of: base) is AnyClass ? ObjectIdentifier(base as AnyObject) : nil
    }

    override var board: FlightBoard { ownBoard }

    override var constraintName: String { name }

    override var timeout: Duration { base.timeout }

    override var gatesRetries: Bool { base.gatesRetries }

    override func isKnownSatisfied(for resource: NetworkResource) -> Bool {
        base.isKnownSatisfied(for: resource)
    }

    override func dropCredential(after response: NetworkResponse) async -> Bool {
        await base.invalidate(after: response)
    }

    override var askingExecutor: (any TaskExecutor)? { nil }

    override func answer(_ question: Int, about resource: NetworkResource) async -> Bool {
        await NetworkScope.run(in: resource.draft.scope) {
            await asPart(of: question) { await base.isSatisfied(for: resource) }
        }
    }

    override func start(flight: Int, for resource: NetworkResource) {
        // The priority is the lowest that a probe raises; see ``FlightProbe``.
        let task = Task(priority: .medium) { [self] in
            do {
                try await NetworkScope.run(in: resource.draft.scope) {
                    try await asPart(of: flight) { try await base.satisfy(for: resource) }
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
