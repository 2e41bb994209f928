// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A value that is set once and awaited once, in either order. The first value counts.
package final class Promise<Value: Sendable>: Sendable {
    private enum State {
        case empty
        case awaited(CheckedContinuation<Value, Never>)
        case resolved(Value)
        case consumed
    }

    private let state = Mutex(State.empty)

    package init() {}

    /// Sets the value.
    ///
    /// - Returns: `false`, without effect, if there is a value already.
    @discardableResult
    package func resolve(_ value: Value) -> Bool {
        let (isFirst, continuation) = state.withLock { state -> (Bool, CheckedContinuation<Value, Never>?) in
            switch state {
            case .empty:
                state = .resolved(value)
                return (true, nil)
            case .awaited(let continuation):
                state = .consumed
                return (true, continuation)
            case .resolved, .consumed:
                return (false, nil)
            }
        }
        continuation?.resume(returning: value)
        return isFirst
    }

    /// Waits for the value. Call it once.
    package func value() async -> Value {
        await withCheckedContinuation { continuation in
            let value: Value? = state.withLock { state in
                guard case .resolved(let value) = state else {
                    state = .awaited(continuation)
                    return nil
                }
                state = .consumed
                return value
            }
            if let value { continuation.resume(returning: value) }
        }
    }
}

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
