// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// The content of a ``ContentStream`` for one transfer.
///
/// Nothing is produced before the first part is needed. The reader is released at the end of the transfer, even if the
/// request that refers to this source is kept.
final class StreamSource: ContentSource {
    private struct State {
        var reader: (any ContentReader)?
        /// The number of bytes that the run has produced.
        var count = 0
        var isEnded = false
        var isCancelled = false
    }

    let length: Int?
    private let produce: ContentStream.Producer
    private let use: SingleUse?
    private let runs: ContentRuns
    private let state = Mutex(State())

    init(length: Int?, _ produce: @escaping ContentStream.Producer, use: SingleUse?, runs: ContentRuns) {
        self.length = length
        self.produce = produce
        self.use = use
        self.runs = runs
    }

    var isRewindable: Bool { use == nil }

    func next() async throws -> Data? {
        do {
            return try await nextPart()
        } catch let error as CancellationError where isCancelled || Task.isCancelled {
            throw error
        } catch {
            throw SwiftyError.unreadable("the content's stream failed", error)
        }
    }

    func rewind() async throws {
        let reader = state.withLock { state in
            defer { (state.reader, state.count, state.isEnded) = (nil, 0, false) }
            return state.reader
        }
        reader?.cancel()
    }

    /// Content that can be read only once can still be replayed while none of it has been read.
    func replayed() -> (any ContentSource)? {
        if use?.isUsed == true { return nil }
        return StreamSource(length: length, produce, use: use, runs: runs)
    }

    func cancel() {
        let reader = state.withLock { state in
            defer { (state.reader, state.isCancelled) = (nil, true) }
            return state.reader
        }
        reader?.cancel()
    }
}

extension StreamSource {
    private var isCancelled: Bool { state.withLock { $0.isCancelled } }

    private func nextPart() async throws -> Data? {
        guard let reader = try await reader() else { return nil }
        let part = try await reader.next()
        do throws(SwiftyError) {
            try check(part)
        } catch {
            cancel()
            throw error
        }
        return part
    }

    /// Compares a part, or the end, with the earlier runs, and ends the run at the end.
    private func check(_ part: Data?) throws(SwiftyError) {
        let place = state.withLock { state in
            defer { state.count += part?.count ?? 0 }
            return state.count
        }
        if let part { return try runs.add(part, at: place) }
        try runs.end(at: place)
        state.withLock { state in
            state.reader = nil
            state.isEnded = true
        }
    }

    /// The reader, made by the first call; `nil` after the end.
    private func reader() async throws -> (any ContentReader)? {
        let (existing, isEnded, isCancelled) = state.withLock { ($0.reader, $0.isEnded, $0.isCancelled) }
        if isCancelled { throw CancellationError() }
        if isEnded { return nil }
        if let existing { return existing }
        try use?.begin(self)
        let made = try await produce()
        let isKept = state.withLock { state in
            if !state.isCancelled { state.reader = made }
            return !state.isCancelled
        }
        if isKept { return made }
        made.cancel()
        throw CancellationError()
    }
}
