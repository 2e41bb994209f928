// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTransport
import Synchronization

import struct Foundation.Data

/// Reads the source of a request's content in a separate task, for one attempt: a part whenever the loop asks for one,
/// and the next part while that one is sent.
///
/// Each attempt has its own pump (``repeated()``), so that a late answer belongs to an attempt that is over, and a
/// source that is still busy delays nothing.
final class ContentPump: Sendable {
    /// The answer to one request of the loop.
    enum Answer: Sendable {
        case part(Data)
        /// The part that completes content of an announced length. The source has ended.
        case last(Data)
        case end
        case failed(any Error)
    }

    typealias Receiver = @Sendable (Answer, ContentPump) -> Void

    private enum Phase {
        case idle
        /// The loop has asked.
        case asked
        /// The task waits for the loop; `false` ends it.
        case waiting(CheckedContinuation<Bool, Never>)
        case ended
    }

    private struct State {
        var phase = Phase.idle
        var source: any ContentSource
        var task: Task<Void, Never>?
        /// Released at the end, because it refers to the transfer.
        var receiver: Receiver?
    }

    /// The number of bytes that the source announces; `nil` if it is unknown.
    let length: Int?
    /// Whether the content can be produced again from its beginning.
    let isRewindable: Bool
    private let state: Mutex<State>

    init(_ source: any ContentSource) {
        length = source.length
        isRewindable = source.isRewindable
        state = Mutex(State(source: source))
    }

    /// Starts the task, which answers requests until the pump ends.
    ///
    /// - Parameter previous: The task of an earlier attempt, which may have read some of the content.
    func start(_ receiver: @escaping Receiver, after previous: Task<Void, Never>? = nil) {
        state.withLock { state in
            state.receiver = receiver
            state.task = Task { await run(receiver, after: previous) }
        }
    }

    /// Asks for the next part. Called on the loop's thread, and not again before the answer.
    func ask() {
        let continuation = state.withLock { state -> CheckedContinuation<Bool, Never>? in
            switch state.phase {
            case .waiting(let continuation):
                state.phase = .idle
                return continuation
            case .idle, .asked:
                state.phase = .asked
                return nil
            case .ended: return nil
            }
        }
        continuation?.resume(returning: true)
    }

    /// Ends the task: no further part is needed.
    func end() {
        leave().source.cancel()
    }

    /// Ends this pump. Returns one that reads the same content from its beginning.
    func repeated() -> ContentPump {
        let left = leave()
        let next = ContentPump(left.source)
        if let receiver = left.receiver { next.start(receiver, after: left.task) }
        return next
    }
}

// MARK: The task

extension ContentPump {
    /// Ends the task without reading the source further.
    private func leave() -> State {
        let left = state.withLock { state in
            defer { (state.phase, state.receiver) = (.ended, nil) }
            return state
        }
        if case .waiting(let continuation) = left.phase { continuation.resume(returning: false) }
        left.task?.cancel()
        return left
    }

    private func run(_ receiver: Receiver, after previous: Task<Void, Never>?) async {
        var ahead = await beginAgain(after: previous)
        var count = 0
        while await isAsked() {
            let current = await complete(await next(ahead), &count)
            receiver(current, self)
            // A source that has ended or failed is not asked again.
            if case .part = current { ahead = await read() } else { ahead = current }
        }
    }

    private func next(_ ahead: Answer?) async -> Answer {
        if let ahead { ahead } else { await read() }
    }

    /// Holds back the part that completes the announced length until the source has ended. With that part, the server
    /// has a complete request, and nothing that comes later could be an error.
    private func complete(_ answer: Answer, _ count: inout Int) async -> Answer {
        guard case .part(let part) = answer else { return answer }
        count += part.count
        guard count == length else { return answer }
        switch await read() {
        case .part, .last: return .failed(Self.excess(of: count))
        case .end: return .last(part)
        case .failed(let error): return .failed(error)
        }
    }

    /// The error of content with more than the announced bytes.
    static func excess(of length: Int) -> SwiftyError {
        let reason = "the content has more than the \(length) bytes that were announced"
        return SwiftyError(.contentUnreadable, stage: .send, sent: .maybeSent, reason: reason)
    }

    private func read() async -> Answer {
        do {
            let source = state.withLock { $0.source }
            while let part = try await source.next() {
                if !part.isEmpty { return .part(part) }
            }
            return .end
        } catch {
            return .failed(error)
        }
    }

    /// Restarts the content if an earlier attempt has read some of it: with a new source, or else with the same source
    /// once the earlier attempt has released it.
    ///
    /// - Returns: The failure of the source; `nil` if it is at the beginning.
    private func beginAgain(after previous: Task<Void, Never>?) async -> Answer? {
        guard let previous else { return nil }
        let used = state.withLock { $0.source }
        if let replay = used.replayed() {
            used.cancel()
            replace(by: replay)
            return nil
        }
        await previous.value
        do {
            try await used.rewind()
            return nil
        } catch {
            return .failed(error)
        }
    }

    private func replace(by source: any ContentSource) {
        let isEnded = state.withLock { state in
            state.source = source
            if case .ended = state.phase { return true }
            return false
        }
        if isEnded { source.cancel() }
    }

    /// Waits for the loop to ask. Returns `false` at the end.
    private func isAsked() async -> Bool {
        // Resumed once, either here or by the other side, as the state under the lock decides.
        await withCheckedContinuation { continuation in
            let request = state.withLock { state -> Bool? in
                switch state.phase {
                case .idle, .waiting:
                    state.phase = .waiting(continuation)
                    return nil
                case .asked:
                    state.phase = .idle
                    return true
                case .ended: return false
                }
            }
            if let request { continuation.resume(returning: request) }
        }
    }
}
