// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTransport
import Synchronization

import struct Foundation.Data

/// Reads the source of a request's content in a task of its own: a part whenever the loop asks for one, and the next
/// part while that one is sent.
final class ContentPump: Sendable {
    /// The answer to one request of the loop.
    enum Answer: Sendable {
        case part(Data)
        case end
        case failed(any Error)
    }

    private enum State {
        case idle
        /// The loop has asked; `isRewinding` for the first part again.
        case asked(isRewinding: Bool)
        case waiting(CheckedContinuation<Bool?, Never>)
        case ended
    }

    let source: any ContentSource
    private let state = Mutex(State.idle)
    private let task = Mutex<Task<Void, Never>?>(nil)

    init(_ source: any ContentSource) {
        self.source = source
    }

    /// Asks for the next part, or for the first one again. Called on the loop's thread, and not again before the
    /// answer.
    func ask(isRewinding: Bool) {
        let continuation = state.withLock { state -> CheckedContinuation<Bool?, Never>? in
            switch state {
            case .waiting(let continuation):
                state = .idle
                return continuation
            case .idle, .asked:
                state = .asked(isRewinding: isRewinding)
                return nil
            case .ended: return nil
            }
        }
        continuation?.resume(returning: isRewinding)
    }

    /// Starts the task, which answers until the end.
    func start(_ answer: @escaping @Sendable (Answer) -> Void) {
        task.withLock { $0 = Task { await run(answer) } }
    }

    /// Ends the task: no further part is needed.
    func end() {
        let continuation = state.withLock { state -> CheckedContinuation<Bool?, Never>? in
            defer { state = .ended }
            return if case .waiting(let continuation) = state { continuation } else { nil }
        }
        continuation?.resume(returning: nil)
        task.withLock { $0?.cancel() }
        source.cancel()
    }

    private func run(_ answer: (Answer) -> Void) async {
        var ahead: Answer?
        while let isRewinding = await nextRequest() {
            let current = if let ahead, !isRewinding { ahead } else { await read(isRewinding: isRewinding) }
            answer(current)
            // A source that has ended or failed is not asked again.
            if case .part = current { ahead = await read(isRewinding: false) } else { ahead = current }
        }
    }

    private func read(isRewinding: Bool) async -> Answer {
        do {
            if isRewinding { try await source.rewind() }
            while let part = try await source.next() {
                if !part.isEmpty { return .part(part) }
            }
            return .end
        } catch {
            return .failed(error)
        }
    }

    /// Waits for a request of the loop; `nil` at the end.
    private func nextRequest() async -> Bool? {
        // Resumed once, either here or by the other side, as the state under the lock decides.
        await withCheckedContinuation { continuation in
            let request = state.withLock { state -> Bool?? in
                switch state {
                case .idle, .waiting:
                    state = .waiting(continuation)
                    return .none
                case .asked(let isRewinding):
                    state = .idle
                    return .some(isRewinding)
                case .ended: return .some(nil)
                }
            }
            if let request { continuation.resume(returning: request) }
        }
    }
}
