// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport
import Synchronization

/// The loads in flight, by their levels.
final class LoadsInFlight: Swifty.Observer {
    private struct State {
        /// The level at which each load began: a retry policy may change its request later.
        var levels: [UInt64: LoadPrecedence.Level] = [:]
        var counts: [LoadPrecedence.Level: Int] = [:]
        /// The waits until no load above a level is in flight.
        var waiters: [(level: LoadPrecedence.Level, promise: Promise<Void>)] = []

        func isFree(_ level: LoadPrecedence.Level) -> Bool {
            !counts.contains { $0.key > level && $0.value > 0 }
        }

        mutating func begin(_ load: UInt64, _ level: LoadPrecedence.Level) {
            // An observer that is added twice is told twice.
            guard levels.updateValue(level, forKey: load) == nil else { return }
            counts[level, default: 0] += 1
        }

        mutating func end(_ load: UInt64) {
            guard let level = levels.removeValue(forKey: load) else { return }
            counts[level, default: 0] -= 1
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
        case .created: state.withLock { $0.begin(load.id, load.draft.precedence) }
        case .finished: end(load)
        default: break
        }
    }

    /// Whether no load above a level is in flight.
    func isFree(_ level: LoadPrecedence.Level) -> Bool {
        state.withLock { $0.isFree(level) }
    }

    /// Whether no load is in flight, and none waits. For tests.
    var isEmpty: Bool { state.withLock { $0.levels.isEmpty && $0.waiters.isEmpty } }

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

    private func end(_ load: Swifty.ObservedLoad) {
        let free = state.withLock { state in
            state.end(load.id)
            return state.takeFree()
        }
        for promise in free { promise.resolve(()) }
    }
}
