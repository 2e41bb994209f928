// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport
import Synchronization

/// A file operation in progress, whose result can be awaited later.
final class PendingUse: Sendable {
    private enum State {
        case running
        case awaited(CheckedContinuation<Result<Void, FileFailure>, Never>)
        case ended(Result<Void, FileFailure>)
    }

    private let state = Mutex(State.running)

    /// Ends the operation. Called once.
    func end(with result: Result<Void, FileFailure>) {
        let waiter = state.withLock { state -> CheckedContinuation<Result<Void, FileFailure>, Never>? in
            defer { state = .ended(result) }
            if case .awaited(let waiter) = state { return waiter }
            return nil
        }
        waiter?.resume(returning: result)
    }

    /// Waits for the end. Called by one task at a time.
    func result() async -> Result<Void, FileFailure> {
        await withCheckedContinuation { continuation in
            let result = state.withLock { state -> Result<Void, FileFailure>? in
                if case .ended(let result) = state { return result }
                state = .awaited(continuation)
                return nil
            }
            if let result { continuation.resume(returning: result) }
        }
    }
}
