// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Lets the questions about one load wait for the flight that the load has boarded.
final class Turn: Sendable {
    private enum State {
        case idle
        /// The flight has landed before the wait for it has begun.
        case come
        case waiting(CheckedContinuation<Bool, Never>)
        case ended
    }

    private let state = Mutex(State.idle)

    /// Waits until the flight has landed.
    ///
    /// - Returns: `true` if the constraint is to be asked again; `false` if the load does not wait any more.
    func wait() async -> Bool {
        await withCheckedContinuation { continuation in
            let answer: Bool? = state.withLock { state in
                switch state {
                case .idle, .waiting:
                    state = .waiting(continuation)
                    return nil
                case .come:
                    state = .idle
                    return true
                case .ended: return false
                }
            }
            if let answer { continuation.resume(returning: answer) }
        }
    }

    /// The flight has landed, and the constraint is to be asked again.
    func come() {
        let waiting: CheckedContinuation<Bool, Never>? = state.withLock { state in
            switch state {
            case .waiting(let continuation):
                state = .idle
                return continuation
            case .idle, .come:
                state = .come
                return nil
            case .ended: return nil
            }
        }
        waiting?.resume(returning: true)
    }

    /// The load does not wait any more.
    func end() {
        let waiting: CheckedContinuation<Bool, Never>? = state.withLock { state in
            defer { state = .ended }
            if case .waiting(let continuation) = state { return continuation }
            return nil
        }
        waiting?.resume(returning: false)
    }
}
