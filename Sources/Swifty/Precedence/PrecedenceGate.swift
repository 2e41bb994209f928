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
    private let limit: Duration
    private let failsAtLimit: Bool
    /// The end of the time in which loads pass, after the limit of a flight: all that wait, and not one for each
    /// flight.
    private let passEnd = Mutex<ContinuousClock.Instant?>(nil)

    init(_ loads: LoadsInFlight, of level: LoadPrecedence.Level, limit: Duration, failsAtLimit: Bool) {
        self.loads = loads
        self.level = level
        self.limit = limit
        self.failsAtLimit = failsAtLimit
    }

    var constraintName: String { "LoadPrecedence" }

    // Longer than the wait of the flight, where the end of the wait is no failure.
    var timeout: Duration { failsAtLimit ? limit : limit + .seconds(60) }

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
        if failsAtLimit { return await loads.waitUntilFree(level) }
        await withTaskGroup { group in
            group.addTask { [loads, level] in await loads.waitUntilFree(level) }
            group.addTask { [limit] in try? await Task.sleep(for: limit) }
            await group.next()
            group.cancelAll()
        }
        if !loads.isFree(level) { passEnd.withLock { $0 = ContinuousClock.now + .seconds(1) } }
    }
}
