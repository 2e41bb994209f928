// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The loads of one `Swifty` that are not over, so that all of them can be ended.
final class ActiveLoads: Sendable {
    fileprivate struct State {
        var loads: [ObjectIdentifier: LoadCancellation] = [:]
        var isShutDown = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    /// Adds a load, unless loads are no longer taken.
    func insert(_ load: LoadCancellation) -> Bool {
        state.withLock { state in
            if state.isShutDown { return false }
            state.loads[ObjectIdentifier(load)] = load
            return true
        }
    }

    /// Removes a load that is over.
    func remove(_ load: LoadCancellation) {
        let waiters = state.withLock { state in
            state.loads[ObjectIdentifier(load)] = nil
            return state.takeWaitersIfDrained()
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Ends every load and returns when the last one is removed.
    func shutdown() async {
        let loads = state.withLock { state in
            state.isShutDown = true
            return Array(state.loads.values)
        }
        for load in loads { load.cancel(with: .shutdown) }
        await withCheckedContinuation { continuation in
            let waiters = state.withLock { state in
                state.waiters.append(continuation)
                return state.takeWaitersIfDrained()
            }
            for waiter in waiters { waiter.resume() }
        }
    }
}

extension ActiveLoads.State {
    fileprivate mutating func takeWaitersIfDrained() -> [CheckedContinuation<Void, Never>] {
        guard loads.isEmpty else { return [] }
        defer { waiters = [] }
        return waiters
    }
}
