// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport
import Synchronization

/// An outcome that any number of tasks can await. Cancelling a task ends only its wait.
final class SharedPromise<Value: Sendable>: Sendable {
    typealias Outcome = Result<Value, SwiftyError>

    private let state = Mutex((outcome: Outcome?.none, waiters: [Promise<Outcome?>]()))

    /// Sets the outcome. Has no effect if there is one already.
    func resolve(_ outcome: Outcome) {
        let waiters = state.withLock { state in
            if state.outcome == nil { state.outcome = outcome }
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resolve(outcome) }
    }

    /// Waits for the outcome; `nil` if the calling task is cancelled first.
    func value() async -> Outcome? {
        let waiter = Promise<Outcome?>()
        let outcome = state.withLock { state in
            if state.outcome == nil { state.waiters.append(waiter) }
            return state.outcome
        }
        if let outcome { return outcome }
        return await withTaskCancellationHandler {
            await waiter.value()
        } onCancel: {
            waiter.resolve(nil)
        }
    }
}
