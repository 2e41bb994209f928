// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

import struct Foundation.Data

/// The content of another source, compressed with gzip while it is sent.
final class GzipSource: ContentSource {
    private struct State {
        /// `nil` before the first part, and after the end.
        var encoder: GzipEncoder?
        var isEnded = false
        var isCancelled = false
    }

    private let source: any ContentSource
    private let level: Int
    private let state = Mutex(State())

    init(_ source: any ContentSource, level: Int) {
        self.source = source
        self.level = level
    }

    /// `nil`: the compressed length is known at the end.
    var length: Int? { nil }

    var isRewindable: Bool { source.isRewindable }

    /// Reads the source until there is something to send. Small parts are collected, because the encoder may have no
    /// output for them.
    func next() async throws -> Data? {
        guard let encoder = try encoder() else { return nil }
        while let part = try await source.next() {
            let output = encoder.encode(part)
            if !output.isEmpty { return output }
        }
        state.withLock { state in
            (state.encoder, state.isEnded) = (nil, true)
        }
        return encoder.finish()
    }

    func rewind() async throws {
        try await source.rewind()
        state.withLock { state in
            (state.encoder, state.isEnded) = (nil, false)
        }
    }

    func replayed() -> (any ContentSource)? {
        source.replayed().map { GzipSource($0, level: level) }
    }

    func cancel() {
        // A call of `next()` that is under way keeps its encoder until it returns.
        state.withLock { state in
            (state.encoder, state.isCancelled) = (nil, true)
        }
        source.cancel()
    }

    /// The encoder, which the first call makes; `nil` after the end.
    private func encoder() throws -> GzipEncoder? {
        try state.withLock { state in
            if state.isCancelled { throw CancellationError() }
            if state.isEnded { return nil }
            if let encoder = state.encoder { return encoder }
            guard let encoder = GzipEncoder(level: level) else {
                throw SwiftyError(.transportFailed, stage: .send, sent: .maybeSent, reason: "there is no memory")
            }
            state.encoder = encoder
            return encoder
        }
    }
}
