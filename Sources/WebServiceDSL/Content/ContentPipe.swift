// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// A bounded pipe from the closure that writes content to the transfer that sends it, for one reader and any number of
/// writers.
final class ContentPipe: Sendable {
    fileprivate struct State {
        var bytes = Data()
        /// The end of the content; `nil` while it is being written.
        var end: Result<Void, any Error>?
        /// Whether the reader has left.
        var isAbandoned = false
        var reader: CheckedContinuation<Void, Never>?
        var writers: [Int: CheckedContinuation<Void, Never>] = [:]
        var lastWriter = 0

        var isClosed: Bool { isAbandoned || end != nil }

        /// In the order in which they began to wait.
        var writersInOrder: [CheckedContinuation<Void, Never>] {
            writers.sorted { $0.key < $1.key }.map(\.value)
        }
    }

    /// The number of bytes that may wait for the reader.
    static let capacity = 256 << 10

    private let state = Mutex(State())

    /// Whether nothing can be written any more.
    var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Adds bytes, at most `capacity`, once there is room.
    ///
    /// - Returns: `false` if the pipe is closed, or the task was cancelled while it waited.
    func put(_ part: Data) async -> Bool {
        while true {
            let (isPut, isClosed, reader) = state.withLock { $0.put(part) }
            reader?.resume()
            if isPut || isClosed { return isPut }
            if Task.isCancelled { return false }
            await waitForRoom(for: part.count)
        }
    }

    /// Takes all buffered bytes, or waits for some; `nil` at the end.
    ///
    /// - Throws: The error with which the content ended, `CancellationError` if the pipe was abandoned or the task
    ///   cancelled.
    func take() async throws -> Data? {
        while true {
            let (bytes, end, isAbandoned, writers) = state.withLock { $0.take() }
            for writer in writers { writer.resume() }
            if isAbandoned || Task.isCancelled { throw CancellationError() }
            if !bytes.isEmpty { return bytes }
            if let end {
                try end.get()
                return nil
            }
            await waitForBytes()
        }
    }

    /// Ends the content, with or without an error. Only the first call has an effect.
    func finish(_ end: Result<Void, any Error>) {
        let waiting = state.withLock { state in
            state.end = state.end ?? end
            return state.takeWaiting()
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Closes the pipe for a reader that needs nothing more.
    func abandon() {
        let waiting = state.withLock { state in
            state.isAbandoned = true
            state.bytes = Data()
            return state.takeWaiting()
        }
        for continuation in waiting { continuation.resume() }
    }
}

// MARK: Waiting

extension ContentPipe {
    // Every continuation is removed under the lock by the side that resumes it.

    private func waitForRoom(for count: Int) async {
        let number = state.withLock { state in
            state.lastWriter += 1
            return state.lastWriter
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let mayProceed = state.withLock { state in
                    if state.isClosed || state.hasRoom(for: count) || Task.isCancelled { return true }
                    state.writers[number] = continuation
                    return false
                }
                if mayProceed { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.writers.removeValue(forKey: number) }?.resume()
        }
    }

    private func waitForBytes() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let mayProceed = state.withLock { state in
                    if state.isClosed || !state.bytes.isEmpty || Task.isCancelled { return true }
                    state.reader = continuation
                    return false
                }
                if mayProceed { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.takeReader() }?.resume()
        }
    }
}

extension ContentPipe.State {
    fileprivate func hasRoom(for count: Int) -> Bool { bytes.isEmpty || bytes.count + count <= ContentPipe.capacity }

    fileprivate mutating func put(
        _ part: Data
    ) -> (isPut: Bool, isClosed: Bool, reader: CheckedContinuation<Void, Never>?) {
        guard !isClosed, hasRoom(for: part.count) else { return (false, isClosed, nil) }
        // No copy if nothing is buffered.
        if bytes.isEmpty { bytes = part } else { bytes += part }
        return (true, false, takeReader())
    }

    fileprivate mutating func take() -> (
        bytes: Data, end: Result<Void, any Error>?, isAbandoned: Bool, writers: [CheckedContinuation<Void, Never>]
    ) {
        defer { (bytes, writers) = (Data(), [:]) }
        return (bytes, end, isAbandoned, writersInOrder)
    }

    fileprivate mutating func takeReader() -> CheckedContinuation<Void, Never>? {
        defer { reader = nil }
        return reader
    }

    fileprivate mutating func takeWaiting() -> [CheckedContinuation<Void, Never>] {
        let waiting = writersInOrder + (takeReader().map { [$0] } ?? [])
        writers = [:]
        return waiting
    }
}
