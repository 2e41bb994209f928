// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// An outcome that any number of tasks wait for, each of which may stop waiting early.
final class SharedOutcome<Value: Sendable>: Sendable {
    typealias Outcome = Result<Value, SwiftyError>

    private let state = Mutex((outcome: Outcome?.none, waiters: [OneShot<Outcome?>]()))

    /// Sets the outcome; without effect if there is one.
    func settle(_ outcome: Outcome) {
        let waiters = state.withLock { state in
            if state.outcome == nil { state.outcome = outcome }
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.give(outcome) }
    }

    /// Waits for the outcome; `nil` if the calling task was cancelled before it was there.
    func value() async -> Outcome? {
        let waiter = OneShot<Outcome?>()
        let outcome = state.withLock { state in
            if state.outcome == nil { state.waiters.append(waiter) }
            return state.outcome
        }
        if let outcome { return outcome }
        return await withTaskCancellationHandler {
            await waiter.take()
        } onCancel: {
            waiter.give(nil)
        }
    }
}
