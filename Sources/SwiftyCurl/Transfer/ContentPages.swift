// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl

import struct Foundation.Data

/// Memory for large content, in pages that the system maps for it alone.
///
/// To have pages mapped and cleared costs as much as to receive what they hold. Released ones are therefore used again, by
/// way of the ``ContentPool``.
struct ContentPages: Sendable {
    /// What is smaller stays on the heap, which is quicker for it.
    static let leastCapacity = 256 << 10

    // Safety: has one owner at a time, a buffer, a `Data` or the pool, who releases it once.
    nonisolated(unsafe) let start: UnsafeMutableRawPointer
    /// In bytes.
    let capacity: Int
    /// How many bytes from the start have been asked of the system.
    private var mapped = 0

    /// Returns nil when memory is short.
    init?(_ capacity: Int) {
        guard let start = ccurl_map_pages(capacity) else { return nil }
        self.start = start
        self.capacity = capacity
    }

    private init(start: UnsafeMutableRawPointer, capacity: Int, mapped: Int) {
        self.start = start
        self.capacity = capacity
        self.mapped = mapped
    }

    /// These pages with another capacity, perhaps elsewhere; this value must not be used any more. Returns nil, and leaves it
    /// as it is, when memory is short.
    func resized(to newCapacity: Int) -> ContentPages? {
        guard let newStart = ccurl_remap_pages(start, capacity, newCapacity) else { return nil }
        return ContentPages(start: newStart, capacity: newCapacity, mapped: min(mapped, newCapacity))
    }

    /// Has pages mapped that are about to be written: ahead by as much as is there, so that nobody gets memory by announcing
    /// content; and in steps that stay in the processor's cache until they are filled.
    mutating func prepare(_ needed: Int, after count: Int) {
        guard needed > mapped else { return }
        let end = min(needed + min(count, 256 << 10), capacity)
        ccurl_prepare_pages(start.advanced(by: mapped), end - mapped)
        mapped = end
    }

    /// Ends this owner's use.
    func release() {
        ContentPool.shared.put(self)
    }

    /// Releases the pages with the content that is in them.
    var deallocator: Data.Deallocator {
        .custom { _, _ in release() }
    }

    func unmap() {
        ccurl_unmap_pages(start, capacity)
    }
}
