// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty

/// Writes content as it arrives, and counts it.
struct StreamOutput {
    private(set) var passed = Delivery.Passed()
    /// Computes the digest; `nil` if it is not needed.
    var digest: SHA256Digest?

    private let writer: OutputWriter
    private var format: StreamFormat
    private let isWanted: Bool

    /// - Parameter isWanted: Whether any of the content is written.
    init(_ writer: OutputWriter, _ format: StreamFormat, isWanted: Bool = true) {
        self.writer = writer
        self.format = format
        self.isWanted = isWanted
    }

    /// Whether the content is not wanted or cannot be shown on the terminal, so that the rest is not needed.
    var isRefused: Bool { !isWanted || format.isRefused }

    /// Writes a part, or as much of it as can be shown already.
    mutating func write(_ part: Data) async throws(OutputError) {
        passed.byteCount += part.count
        digest?.update(part)
        try await put(format.add(part))
    }

    /// Writes the rest.
    mutating func end() async throws(OutputError) {
        passed.sha256 = digest?.finalize()
        try await put(format.end())
    }

    private func put(_ bytes: Data) async throws(OutputError) {
        if !bytes.isEmpty { try await writer.write(bytes) }
    }
}
