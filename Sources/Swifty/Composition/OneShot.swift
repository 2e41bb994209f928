// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A value that is given once and waited for once, in either order. The first value counts.
final class OneShot<Value: Sendable>: Sendable {
    private enum State {
        case empty
        case awaited(CheckedContinuation<Value, Never>)
        case given(Value)
        case taken
    }

    private let state = Mutex(State.empty)

    /// Gives the value; without effect if there is one.
    func give(_ value: Value) {
        let continuation: CheckedContinuation<Value, Never>? = state.withLock { state in
            switch state {
            case .empty:
                state = .given(value)
                return nil
            case .awaited(let continuation):
                state = .taken
                return continuation
            case .given, .taken:
                return nil
            }
        }
        continuation?.resume(returning: value)
    }

    /// Waits for the value.
    func take() async -> Value {
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
