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
        // For a continuation that was resumed already; see Docs/Decisions/0002-thread-sanitizer.md.
        #if SWIFTY_THREAD_SANITIZER
        defer { state.withLock { _ in } }
        #endif
        return await withCheckedContinuation { continuation in
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
