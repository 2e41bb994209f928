// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import Synchronization

import struct Foundation.Data

/// Reusable memory for the large parts of streamed responses: an allocator returns blocks of this size to the system,
/// which clears them for the next use, at a higher cost than receiving their bytes.
final class SegmentPool: Sendable {
    static let shared = SegmentPool()

    /// The size of a block in bytes.
    static let blockSize = 128 << 10
    /// The largest number of blocks that are kept.
    private static let limit = 16

    // Safety: a block has one owner at a time: the pool, a ``PartBuffer`` or a `Data`.
    struct Block: @unchecked Sendable {
        let start: UnsafeMutableRawPointer
    }

    private let spares = Mutex<[Block]>([])

    /// A block with undefined bytes; `nil` if allocation fails.
    func take() -> Block? {
        spares.withLock { $0.popLast() } ?? ccurl_map_pages(Self.blockSize).map { Block(start: $0) }
    }

    /// Returns a block that is no longer used.
    func put(_ block: Block) {
        let isKept = spares.withLock { spares in
            let hasRoom = spares.count < Self.limit
            if hasRoom { spares.append(block) }
            return hasRoom
        }
        if !isKept { ccurl_unmap_pages(block.start, Self.blockSize) }
    }

    /// The first bytes of a block as a `Data`, which returns the block to the pool when its last reference is released.
    func data(_ block: Block, count: Int) -> Data {
        Data(bytesNoCopy: block.start, count: count, deallocator: .custom { _, _ in self.put(block) })
    }
}
