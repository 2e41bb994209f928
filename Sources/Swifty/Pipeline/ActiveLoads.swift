// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The loads of one `Swifty` that are not over, so that they can be counted and ended.
final class ActiveLoads: Sendable {
    private struct Entry {
        let cancellation: LoadCancellation
        let tags: Set<String>
    }

    private struct State {
        var entries: [UInt64: Entry] = [:]
        var lastID: UInt64 = 0
        var isClosed = false
        var statistics = SwiftyStatistics()
        var waiters: [CheckedContinuation<Void, Never>] = []

        mutating func takeWaitersIfDrained() -> [CheckedContinuation<Void, Never>] {
            guard entries.isEmpty, !waiters.isEmpty else { return [] }
            defer { waiters = [] }
            return waiters
        }
    }

    private let state = Mutex(State())

    /// Adds a load and gives it a number; `nil` if loads are no longer taken.
    func insert(_ cancellation: LoadCancellation, tags: Set<String>) -> UInt64? {
        state.withLock { state in
            if state.isClosed { return nil }
            state.lastID += 1
            state.statistics.started += 1
            state.entries[state.lastID] = Entry(cancellation: cancellation, tags: tags)
            return state.lastID
        }
    }

    /// Removes a load that is over, and counts how it ended.
    func remove(_ id: UInt64, _ error: SwiftyError?, attempts: Int) {
        let waiters = state.withLock { state in
            state.entries[id] = nil
            state.statistics.count(error, attempts: attempts)
            return state.takeWaitersIfDrained()
        }
        for waiter in waiters { waiter.resume() }
    }

    var statistics: SwiftyStatistics {
        state.withLock { state in
            var statistics = state.statistics
            statistics.inFlight = state.entries.count
            return statistics
        }
    }

    /// Cancels all loads, or those with a label. Returns how many.
    @discardableResult
    func cancel(tag: String?, with code: SwiftyError.Code, reason: String?) -> Int {
        let loads = state.withLock { state in
            state.entries.values.filter { tag.map($0.tags.contains) ?? true }.map(\.cancellation)
        }
        for load in loads { load.cancel(with: code, reason: reason) }
        return loads.count
    }

    /// Takes no more loads.
    func close() {
        state.withLock { $0.isClosed = true }
    }

    /// Returns when the last load is removed.
    func drain() async {
        await withCheckedContinuation { continuation in
            let waiters = state.withLock { state in
                state.waiters.append(continuation)
                return state.takeWaitersIfDrained()
            }
            for waiter in waiters { waiter.resume() }
        }
    }
}

extension SwiftyStatistics {
    fileprivate mutating func count(_ error: SwiftyError?, attempts: Int) {
        switch error {
        case nil: succeeded += 1
        case let error? where error.isCancelled: cancelled += 1
        default: failed += 1
        }
        self.attempts += attempts
        retries += max(0, attempts - 1)
    }
}
