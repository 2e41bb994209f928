// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import struct Foundation.Data

/// The next part of a streamed response while the loop gathers it, in memory that is then given to the reader.
struct PartBuffer: ~Copyable {
    /// The minimum size of a part that keeps its block. A smaller one would waste most of it, and is copied.
    static let leastBlockPart = 64 << 10
    /// The size of a piece that must fit for the part to grow: that of a TLS record.
    private static let piece = 16 << 10

    private var block: SegmentPool.Block?
    private(set) var count = 0
    /// The time of the first byte, in monotonic nanoseconds.
    private(set) var begun: Int64 = 0

    deinit {
        if let block { SegmentPool.shared.put(block) }
    }

    /// Whether the next piece may not fit.
    var isFull: Bool { SegmentPool.blockSize - count < Self.piece }

    /// The free memory after the bytes; `nil` if allocation fails. Valid until the next call.
    mutating func space() -> UnsafeMutableRawBufferPointer? {
        if block == nil { block = SegmentPool.shared.take() }
        guard let block else { return nil }
        return UnsafeMutableRawBufferPointer(start: block.start + count, count: SegmentPool.blockSize - count)
    }

    /// Counts bytes that were written to the beginning of ``space()``.
    mutating func noteWritten(_ written: Int, at now: Int64) {
        if count == 0 { begun = now }
        count += written
    }

    /// Appends as many of the bytes as fit. Returns their number; `nil` if allocation fails.
    mutating func append(_ bytes: UnsafeRawBufferPointer, at now: Int64) -> Int? {
        guard let space = space() else { return nil }
        let fitting = UnsafeRawBufferPointer(rebasing: bytes.prefix(space.count))
        if !fitting.isEmpty { space.copyMemory(from: fitting) }
        noteWritten(fitting.count, at: now)
        return fitting.count
    }

    /// Moves the bytes out; the buffer is empty afterwards.
    mutating func take() -> Data {
        guard let taken = block.take() else { return Data() }
        defer { count = 0 }
        if count >= Self.leastBlockPart { return SegmentPool.shared.data(taken, count: count) }
        defer { SegmentPool.shared.put(taken) }
        return Data(bytes: taken.start, count: count)
    }

    mutating func removeAll() {
        if let block = block.take() { SegmentPool.shared.put(block) }
        count = 0
    }
}
