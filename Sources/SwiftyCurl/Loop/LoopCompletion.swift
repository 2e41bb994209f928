// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The end of a loop, which any number of callers can wait for.
final class LoopCompletion: Sendable {
    private enum State {
        case pending([UnsafeContinuation<Void, Never>])
        case done
    }

    private let state = Guarded(State.pending([]))

    /// Wakes all who wait, and lets pass who comes later.
    func signal() {
        let waiting = state.withLock { state -> [UnsafeContinuation<Void, Never>] in
            guard case .pending(let waiting) = state else { return [] }
            state = .done
            return waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    func wait() async {
        // Safety: resumed once, either here or by `signal`, as the state under the lock decides.
        await withUnsafeContinuation { continuation in
            let isDone = state.withLock { state in
                guard case .pending(let waiting) = state else { return true }
                state = .pending(waiting + [continuation])
                return false
            }
            if isDone { continuation.resume() }
        }
    }
}
