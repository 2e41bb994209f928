// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

import struct Foundation.Data

/// The content of another source, encoded while it is sent.
final class EncodedSource: ContentSource {
    private struct State {
        /// `nil` before the first part, and after the end.
        var encoder: Encoder?
        var isEnded = false
        var isCancelled = false
    }

    // Safety: one task at a time reads a source.
    private struct Encoder: @unchecked Sendable {
        let base: any ContentEncoder
    }

    private let source: any ContentSource
    private let coding: any SourceCoding
    private let state = Mutex(State())

    init(_ source: any ContentSource, _ coding: any SourceCoding) {
        self.source = source
        self.coding = coding
    }

    /// `nil`: the encoded length is known at the end.
    var length: Int? { nil }

    var isRewindable: Bool { source.isRewindable }

    /// Reads the source until there is something to send. Small parts are collected, because the encoder may have no
    /// output for them.
    func next() async throws -> Data? {
        guard let encoder = try encoder()?.base else { return nil }
        while let part = try await source.next() {
            let output = try encoder.encode(part)
            if !output.isEmpty { return output }
        }
        state.withLock { state in
            (state.encoder, state.isEnded) = (nil, true)
        }
        let end = try encoder.finish()
        return end.isEmpty ? nil : end
    }

    func rewind() async throws {
        try await source.rewind()
        state.withLock { state in
            (state.encoder, state.isEnded) = (nil, false)
        }
    }

    func replayed() -> (any ContentSource)? {
        source.replayed().map { EncodedSource($0, coding) }
    }

    func cancel() {
        // A call of `next()` that is under way keeps its encoder until it returns.
        state.withLock { state in
            (state.encoder, state.isCancelled) = (nil, true)
        }
        source.cancel()
    }

    /// The encoder, which the first call makes; `nil` after the end.
    private func encoder() throws -> Encoder? {
        try state.withLock { state in
            if state.isCancelled { throw CancellationError() }
            if state.isEnded { return nil }
            if let encoder = state.encoder { return encoder }
            let encoder = Encoder(base: try coding.makeEncoder())
            state.encoder = encoder
            return encoder
        }
    }
}
