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
    private let clock: LoadClock
    /// The end of the time in which loads pass, after the limit of a flight: all that wait, and not one for each
    /// flight.
    private let passEnd = Mutex<Duration?>(nil)

    init(_ loads: LoadsInFlight, of level: LoadPrecedence.Level, limit: Duration? = nil, _ clock: LoadClock) {
        (self.loads, self.level, self.limit, self.clock) = (loads, level, limit, clock)
    }

    var constraintName: String { "LoadPrecedence" }

    /// A day: a flight lasts as long as the loads that it waits for, and each load has its own limit.
    var timeout: Duration { (limit ?? .zero) + .seconds(86_400) }

    func isKnownSatisfied(for resource: NetworkResource) -> Bool {
        // It may not wait for the load that it belongs to.
        if InnerLoad.isMadeHere { return true }
        return isSatisfied(for: resource)
    }

    func isSatisfied(for resource: NetworkResource) -> Bool {
        if resource.draft.precedence > level || loads.isFree(level) { return true }
        return passEnd.withLock { end in end.map { clock.now() < $0 } ?? false }
    }

    func satisfy(for resource: NetworkResource) async throws {
        await wait()
        // A flight that no load waits for any more lets none pass.
        try Task.checkCancellation()
        if limit != nil, !loads.isFree(level) { passEnd.withLock { $0 = clock.now() + .seconds(1) } }
    }

    /// Waits until no load above the level is in flight, or the limit is reached.
    private func wait() async {
        guard let limit else { return await loads.waitUntilFree(level) }
        await withTaskGroup { group in
            group.addTask { [loads, level] in await loads.waitUntilFree(level) }
            group.addTask { [clock] in try? await clock.sleep(for: limit) }
            await group.next()
            group.cancelAll()
        }
    }
}
