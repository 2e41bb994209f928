// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import Synchronization

import struct Foundation.Data

/// Memory for the large parts of streamed responses, used again and again: an allocator gives blocks of this size back
/// to the system, which clears them for the next use, at a higher cost than receiving their bytes.
final class SegmentPool: Sendable {
    static let shared = SegmentPool()

    /// The size of a block in bytes, that of the buffer of a loop.
    private static let blockSize = 128 << 10
    /// The size from which on a part gets a block. A smaller one would waste most of it.
    private static let leastSize = 64 << 10
    /// The largest number of blocks that are kept.
    private static let limit = 16

    // Safety: a block has one owner at a time: the pool or a `Data`.
    private struct Block: @unchecked Sendable {
        let start: UnsafeMutableRawPointer
    }

    private let spares = Mutex<[Block]>([])

    /// The bytes as a `Data` of its own.
    func copy(_ part: UnsafeRawBufferPointer) -> Data {
        guard part.count > Self.leastSize, part.count <= Self.blockSize, let source = part.baseAddress,
            let block = spares.withLock({ $0.popLast() }) ?? Self.makeBlock()
        else { return Data(part) }
        block.start.copyMemory(from: source, byteCount: part.count)
        return Data(bytesNoCopy: block.start, count: part.count, deallocator: .custom { _, _ in self.put(block) })
    }

    private func put(_ block: Block) {
        let isKept = spares.withLock { spares in
            let hasRoom = spares.count < Self.limit
            if hasRoom { spares.append(block) }
            return hasRoom
        }
        if !isKept { ccurl_free_content(block.start) }
    }

    private static func makeBlock() -> Block? {
        ccurl_resize_content(nil, blockSize).map { Block(start: $0) }
    }
}
