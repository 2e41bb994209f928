// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Holds the loads of one level, and of those below it, while a load above this level is in flight.
///
/// Each level has a gate, because a gate has one flight at a time: a deferrable load waits for ordinary ones, which may
/// wait for a critical one meanwhile.
final class PrecedenceGate: AsyncConstraint {
    private let loads: LoadsInFlight
    private let level: LoadPrecedence.Level
    /// The longest wait, after which loads pass; `nil` for none.
    private let limit: Duration?
    /// The end of the time in which loads pass, after the limit of a flight: all that wait, and not one for each
    /// flight.
    private let passEnd = Mutex<ContinuousClock.Instant?>(nil)

    init(_ loads: LoadsInFlight, of level: LoadPrecedence.Level, limit: Duration? = nil) {
        self.loads = loads
        self.level = level
        // The system's clock traps on times that do not fit into 64 bits of nanoseconds.
        self.limit = limit.map { min($0, .seconds(1_000_000_000)) }
    }

    var constraintName: String { "LoadPrecedence" }

    /// A day: a flight lasts as long as the loads that it waits for, and each load has its own limit.
    var timeout: Duration { (limit ?? .zero) + .seconds(86_400) }

    func isKnownSatisfied(for resource: NetworkResource) -> Bool {
        // A load of a hook or a flight belongs to another load, for which it may not wait.
        if !HookMark.current.isEmpty || !Constraint.flights.isEmpty { return true }
        return isSatisfied(for: resource)
    }

    func isSatisfied(for resource: NetworkResource) -> Bool {
        if resource.draft.precedence > level || loads.isFree(level) { return true }
        return passEnd.withLock { end in end.map { ContinuousClock.now < $0 } ?? false }
    }

    func satisfy(for resource: NetworkResource) async throws {
        guard let limit else { return await loads.waitUntilFree(level) }
        await withTaskGroup { group in
            group.addTask { [loads, level] in await loads.waitUntilFree(level) }
            group.addTask { try? await Task.sleep(for: limit) }
            await group.next()
            group.cancelAll()
        }
        if !loads.isFree(level) { passEnd.withLock { $0 = ContinuousClock.now + .seconds(1) } }
    }
}
