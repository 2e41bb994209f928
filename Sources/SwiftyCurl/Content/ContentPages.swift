// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl

import struct Foundation.Data

/// Memory for large content, in pages mapped for it alone.
///
/// Mapping and clearing pages costs as much as receiving their content, so released pages are reused through the
/// ``ContentPool``.
struct ContentPages: Sendable {
    /// The smallest size in pages; the heap is faster for smaller content.
    static let leastCapacity = 256 << 10

    // Safety: has one owner at a time (a buffer, a `Data` or the pool), which releases it once.
    nonisolated(unsafe) let start: UnsafeMutableRawPointer
    /// The size in bytes.
    let capacity: Int
    /// The number of bytes from the start that the system was asked to map.
    private var mapped = 0
}

extension ContentPages {
    /// Returns `nil` if the system has no memory.
    init?(_ capacity: Int) {
        guard let start = ccurl_map_pages(capacity) else { return nil }
        self.init(start: start, capacity: capacity)
    }

    /// The same pages with another capacity, perhaps at another address; this value must not be used any more. Returns
    /// `nil`, and leaves this value unchanged, if the system has no memory.
    func resized(to newCapacity: Int) -> ContentPages? {
        guard let newStart = ccurl_remap_pages(start, capacity, newCapacity) else { return nil }
        return ContentPages(start: newStart, capacity: newCapacity, mapped: min(mapped, newCapacity))
    }

    /// Maps pages that are about to be written: as far ahead as has been received, so that announcing content reserves
    /// no memory, and in steps that stay in the processor's cache until they are filled.
    mutating func prepare(_ needed: Int, after count: Int) {
        guard needed > mapped else { return }
        let end = min(needed + min(count, 256 << 10), capacity)
        ccurl_prepare_pages(start.advanced(by: mapped), end - mapped)
        mapped = end
    }

    /// Returns the pages to the pool.
    func release() {
        ContentPool.shared.put(self)
    }

    /// Returns the pages to the pool when the `Data` is released.
    var deallocator: Data.Deallocator {
        .custom { _, _ in release() }
    }

    func unmap() {
        ccurl_unmap_pages(start, capacity)
    }
}
