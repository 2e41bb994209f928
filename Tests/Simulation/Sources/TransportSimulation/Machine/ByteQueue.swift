// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// Bytes that are taken in the order in which they came.
struct ByteQueue {
    private var bytes: [UInt8] = []
    private var taken = 0

    var count: Int { bytes.count - taken }
    var isEmpty: Bool { taken == bytes.count }

    mutating func append(_ more: some Sequence<UInt8>) {
        bytes.append(contentsOf: more)
    }

    /// Copies the first bytes, as far as there is room, and removes them. Returns their number.
    mutating func take(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let count = min(count, buffer.count)
        bytes.withUnsafeBytes { buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[taken..<taken + count])) }
        remove(count)
        return count
    }

    mutating func takeAll() -> ArraySlice<UInt8> {
        defer { self = ByteQueue() }
        return bytes[taken...]
    }

    private mutating func remove(_ count: Int) {
        taken += count
        if taken == bytes.count { self = ByteQueue() }
    }
}
