// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#if Configuration

import Synchronization

/// An end that any number of tasks wait for, each by itself: when one of them is cancelled, the others go on waiting.
final class EndSignal: Sendable {
    private struct State {
        var hasEnded = false
        var lastNumber = 0
        var waiters: [Int: AsyncStream<Never>.Continuation] = [:]
    }

    private let state = Mutex(State())

    /// The number of tasks that wait. For tests.
    var waiterCount: Int { state.withLock { $0.waiters.count } }

    /// Lets all tasks go, those that come later as well.
    func end() {
        let waiters = state.withLock { state in
            state.hasEnded = true
            return state.waiters.values.map(\.self)
        }
        for waiter in waiters { waiter.finish() }
    }

    /// Returns at the end, or when the task is cancelled.
    func wait() async {
        // Iterators of one stream would share its cancellation.
        let (ends, ending) = AsyncStream<Never>.makeStream()
        guard let number = add(ending) else { return }
        for await _ in ends {}
        state.withLock { $0.waiters[number] = nil }
    }

    /// The number of a waiter; `nil` after the end.
    private func add(_ waiter: AsyncStream<Never>.Continuation) -> Int? {
        state.withLock { state in
            if state.hasEnded { return nil }
            state.lastNumber += 1
            state.waiters[state.lastNumber] = waiter
            return state.lastNumber
        }
    }
}
#endif
