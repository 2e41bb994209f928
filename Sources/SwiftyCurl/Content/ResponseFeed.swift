// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTransport
import Synchronization

import struct Foundation.Data

/// A streamed response between the loop, which receives it, and its reader.
///
/// The loop stops receiving while as many bytes wait for the reader as it may have ahead, and continues when the reader
/// has taken half of them: switching threads for each part would cost more than the part.
final class ResponseFeed: Sendable {
    /// The number of bytes that all streamed responses of the process together have ahead of their readers, while each
    /// stays between the minimum and the maximum of one.
    private static let budget = 3 << 20
    private static let least = 16 << 10
    private static let most = 1 << 20
    /// Fewer bytes than this are not worth another receive call.
    static let slack = 4 << 10
    private static let count = Atomic(0)

    /// The number of bytes that one response may have ahead of its reader: fewer while there are many.
    static var allowance: Int {
        max(least, min(most, budget / max(1, count.load(ordering: .relaxed))))
    }

    /// The result of a read.
    enum Step {
        /// The next bytes, and whether the loop has to be told to continue.
        case part(Data, isLoopWaiting: Bool)
        /// Another task is reading.
        case isBusy
        /// The transfer has ended.
        case ended
    }

    private struct State {
        var head: ResponseHead?
        /// The parts that wait for the reader, in reverse order once it has begun to take them.
        var arrived: [Data] = []
        var taken: [Data] = []
        /// The number of bytes of both.
        var byteCount = 0
        var isLoopWaiting = false
        var isEnded = false
        /// Called at the end, read or not.
        var onEnd: (@Sendable () -> Void)?
        /// The reader that waits: `true` resumes it.
        var reader: CheckedContinuation<Bool, Never>?

        var hasNews: Bool { byteCount > 0 || isEnded }

        /// Removes the next part. The queue has two arrays, neither of which is shifted.
        mutating func takePart() -> Data? {
            if taken.isEmpty {
                swap(&arrived, &taken)
                taken.reverse()
            }
            guard let part = taken.popLast() else { return nil }
            byteCount -= part.count
            return part
        }
    }

    private let state = Mutex(State())

    init() {
        Self.count.wrappingAdd(1, ordering: .relaxed)
    }

    deinit {
        Self.count.wrappingSubtract(1, ordering: .relaxed)
    }
}

// MARK: The loop

extension ResponseFeed {
    func put(_ head: ResponseHead) {
        state.withLock { $0.head = head }
    }

    /// The number of bytes that are worth receiving now, besides those that are gathered.
    func room(besides gathered: Int) -> Int {
        max(Self.slack, Self.allowance - byteCount - gathered)
    }

    /// The number of bytes that wait for the reader.
    var byteCount: Int { state.withLock(\.byteCount) }

    /// Appends a part of the content. Returns `false` if the loop must wait for the reader.
    func put(_ part: Data) -> Bool {
        let allowance = Self.allowance
        return state.withLock { state in
            state.arrived.append(part)
            state.byteCount += part.count
            // Only the reader ends the wait: over HTTP/2, parts in transit still arrive during it.
            if state.byteCount > allowance - Self.slack { state.isLoopWaiting = true }
            return !state.isLoopWaiting
        }
    }

    /// Resumes the reader, which checks for news.
    func signal() {
        let reader = state.withLock { $0.reader.take() }
        reader?.resume(returning: true)
    }

    /// Ends the feed: the loop does not touch the transfer any more.
    func end() {
        let onEnd = state.withLock { state in
            state.isEnded = true
            return state.onEnd.take()
        }
        onEnd?()
        signal()
    }

    /// Calls a closure when the transfer has ended: on the loop's thread, or immediately if it has already.
    func whenEnded(_ handler: @escaping @Sendable () -> Void) {
        let isEnded = state.withLock { state in
            if !state.isEnded { state.onEnd = handler }
            return state.isEnded
        }
        if isEnded { handler() }
    }
}

// MARK: The reader

extension ResponseFeed {
    /// Waits for the head; `nil` if the transfer has ended without one.
    func head() async -> ResponseHead? {
        while true {
            let (head, isEnded) = state.withLock { ($0.head, $0.isEnded) }
            if head != nil || isEnded { return head }
            _ = await wait { $0.head != nil || $0.isEnded }
        }
    }

    /// Waits for the next bytes.
    nonisolated(nonsending) func next() async -> Step {
        while true {
            if let step = takeStep() { return step }
            guard await wait(until: { $0.hasNews }) else { return .isBusy }
        }
    }

    /// The next bytes, if they have arrived, or the end.
    func takeStep() -> Step? {
        let allowance = Self.allowance
        return state.withLock { state in
            guard let part = state.takePart() else { return state.isEnded ? .ended : nil }
            let mustContinue = state.isLoopWaiting && state.byteCount <= allowance / 2
            if mustContinue { state.isLoopWaiting = false }
            return .part(part, isLoopWaiting: mustContinue)
        }
    }

    /// Waits for a signal, unless the condition holds. Returns `false` if another task waits.
    private nonisolated(nonsending) func wait(until isReady: @Sendable (State) -> Bool) async -> Bool {
        // Resumed once, either here or by the other side, as the state under the lock decides.
        await withCheckedContinuation { continuation in
            let isWaiting = state.withLock { state -> Bool? in
                if isReady(state) { return true }
                if state.reader != nil { return false }
                state.reader = continuation
                return nil
            }
            if let isWaiting { continuation.resume(returning: isWaiting) }
        }
    }
}
