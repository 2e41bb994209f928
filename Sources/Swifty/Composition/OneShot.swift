// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A value that is set once and awaited once, in either order. The first value counts.
package final class OneShot<Value: Sendable>: Sendable {
    private enum State {
        case empty
        case awaited(CheckedContinuation<Value, Never>)
        case given(Value)
        case taken
    }

    private let state = Mutex(State.empty)

    package init() {}

    /// Sets the value.
    ///
    /// - Returns: `false`, without effect, if there is a value already.
    @discardableResult
    package func give(_ value: Value) -> Bool {
        let (isFirst, continuation) = state.withLock { state -> (Bool, CheckedContinuation<Value, Never>?) in
            switch state {
            case .empty:
                state = .given(value)
                return (true, nil)
            case .awaited(let continuation):
                state = .taken
                return (true, continuation)
            case .given, .taken:
                return (false, nil)
            }
        }
        continuation?.resume(returning: value)
        return isFirst
    }

    /// Waits for the value.
    package func take() async -> Value {
        await withCheckedContinuation { continuation in
            let value: Value? = state.withLock { state in
                guard case .given(let value) = state else {
                    state = .awaited(continuation)
                    return nil
                }
                state = .taken
                return value
            }
            if let value { continuation.resume(returning: value) }
        }
    }
}

/// An outcome that any number of tasks can await. Cancelling a task ends only its wait.
final class SharedOutcome<Value: Sendable>: Sendable {
    typealias Outcome = Result<Value, SwiftyError>

    private let state = Mutex((outcome: Outcome?.none, waiters: [OneShot<Outcome?>]()))

    /// Sets the outcome. Has no effect if there is one already.
    func settle(_ outcome: Outcome) {
        let waiters = state.withLock { state in
            if state.outcome == nil { state.outcome = outcome }
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.give(outcome) }
    }

    /// Waits for the outcome; `nil` if the calling task is cancelled first.
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
