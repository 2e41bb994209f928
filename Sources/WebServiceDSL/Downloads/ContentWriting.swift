// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

import struct Foundation.Data

/// Writes content in large pieces, each while the next one arrives.
///
/// No more than two pieces are in memory: a slow disk slows the server down.
struct ContentWriting {
    /// The number of bytes of a piece.
    private static let pieceSize = 256 << 10

    private let part: PartFile
    /// The time after which even a small piece is written.
    private let patience: Duration
    private var parts: [Data] = []
    private var count = 0
    private var begin = ContinuousClock.now
    private var pending: PendingUse?

    init(_ part: PartFile, _ options: DownloadOptions) {
        self.part = part
        patience = min(options.checkpointInterval / 2, .seconds(1))
    }

    /// Adds bytes, and begins to write if there are enough of them, or if they have waited for longer than `patience`.
    mutating func append(_ bytes: Data) async throws(SwiftyError) {
        if parts.isEmpty { begin = .now }
        parts.append(bytes)
        count += bytes.count
        guard count >= Self.pieceSize || ContinuousClock.now - begin > patience else { return }
        try await flush()
    }

    /// Writes everything.
    mutating func finish() async throws(SwiftyError) {
        if count > 0 { try await flush() }
        try await waitForPending()
    }

    private mutating func flush() async throws(SwiftyError) {
        try await waitForPending()
        let parts = parts
        pending = part.start { (writer) throws(FileFailure) in try writer.append(parts) }
        (self.parts, count) = ([], 0)
    }

    private mutating func waitForPending() async throws(SwiftyError) {
        guard let pending else { return }
        self.pending = nil
        try await part.wait(for: pending)
    }
}
