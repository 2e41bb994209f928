// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport
import Synchronization

/// Counts the loads in flight by their levels.
final class LoadsInFlight: Swifty.Observer {
    private struct State {
        var counts: [LoadPrecedence.Level: Int] = [:]
        /// The waits until no load above a level is in flight.
        var waiters: [(level: LoadPrecedence.Level, promise: Promise<Void>)] = []

        func isFree(_ level: LoadPrecedence.Level) -> Bool {
            !counts.contains { $0.key > level && $0.value > 0 }
        }

        mutating func takeFree() -> [Promise<Void>] {
            let free = waiters.filter { isFree($0.level) }
            waiters = waiters.filter { !isFree($0.level) }
            return free.map(\.promise)
        }
    }

    private let state = Mutex(State())

    func observe(_ event: Swifty.Event, of load: Swifty.ObservedLoad) {
        switch event {
        case .created: state.withLock { $0.counts[load.draft.precedence, default: 0] += 1 }
        case .finished: end(load.draft.precedence)
        default: break
        }
    }

    /// Whether no load above a level is in flight.
    func isFree(_ level: LoadPrecedence.Level) -> Bool {
        state.withLock { $0.isFree(level) }
    }

    /// Waits until no load above a level is in flight, or the task is cancelled.
    func waitUntilFree(_ level: LoadPrecedence.Level) async {
        let promise = Promise<Void>()
        let isFree = state.withLock { state in
            if !state.isFree(level) { state.waiters.append((level, promise)) }
            return state.isFree(level)
        }
        if isFree { return }
        await withTaskCancellationHandler {
            await promise.value()
        } onCancel: {
            state.withLock { $0.waiters.removeAll { $0.promise === promise } }
            promise.resolve(())
        }
    }

    private func end(_ level: LoadPrecedence.Level) {
        let free = state.withLock { state in
            state.counts[level, default: 0] -= 1
            return state.takeFree()
        }
        for promise in free { promise.resolve(()) }
    }
}
