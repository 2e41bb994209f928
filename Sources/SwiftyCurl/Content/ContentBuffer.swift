// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl

import struct Foundation.Data

/// The content of a response while it arrives: on the heap while it is small, in separate pages when it is large.
///
/// It becomes a `Data` without being copied. Unlike a `Data`, it does not trap when an allocation fails.
struct ContentBuffer: ~Copyable {
    // Safety: owned by this value until `take()`; from the heap, or the beginning of `pages`.
    private var bytes: UnsafeMutableRawPointer?
    private(set) var count = 0
    private var capacity = 0
    /// `nil` while the content is on the heap.
    private var pages: ContentPages?

    deinit {
        Self.free(bytes, pages)
    }

    /// Appends bytes. Returns `false` if allocation fails.
    ///
    /// - Parameter expected: The expected size of the whole content, as far as it can be trusted.
    mutating func append(_ arrived: UnsafeRawBufferPointer, expected: Int) -> Bool {
        guard let source = arrived.baseAddress, arrived.count > 0 else { return true }
        let needed = count + arrived.count
        // Grows to the expected size, or else to twice the current one: with small steps, the content would be copied
        // repeatedly.
        if needed > capacity, !grow(to: expected >= needed ? expected : max(needed, 2 * capacity)) { return false }
        pages?.prepare(needed, after: count)
        bytes?.advanced(by: count).copyMemory(from: source, byteCount: arrived.count)
        count = needed
        return true
    }

    mutating func removeAll() {
        Self.free(bytes, pages)
        forget()
    }

    /// Moves the content out; the buffer is empty afterwards.
    mutating func take() -> Data {
        if capacity - count > max(count / 4, 64) { shrink() }
        guard let bytes, count > 0 else { return Data() }
        let result = Data(bytesNoCopy: bytes, count: count, deallocator: pages?.deallocator ?? .free)
        forget()
        return result
    }

    private mutating func grow(to needed: Int) -> Bool {
        if needed < ContentPages.leastCapacity { return resizeOnHeap(to: needed) }
        if let spare = ContentPool.shared.take(needed) { return move(to: spare) }
        if let pages { return adopt(pages.resized(to: needed)) }
        return ContentPages(needed).map { move(to: $0) } ?? false
    }

    /// Releases unused memory. A failed allocation changes nothing.
    private mutating func shrink() {
        if count >= ContentPages.leastCapacity {
            _ = adopt(pages?.resized(to: count))
        } else if pages == nil {
            _ = resizeOnHeap(to: count)
        } else {
            moveToHeap()
        }
    }

    private mutating func resizeOnHeap(to newCapacity: Int) -> Bool {
        guard let newBytes = ccurl_resize_content(bytes, newCapacity) else { return false }
        bytes = newBytes
        capacity = newCapacity
        return true
    }

    private mutating func moveToHeap() {
        guard count > 0, let bytes, let newBytes = ccurl_resize_content(nil, count) else { return }
        newBytes.copyMemory(from: bytes, byteCount: count)
        pages?.release()
        (self.bytes, capacity, pages) = (newBytes, count, nil)
    }

    private mutating func move(to newPages: ContentPages) -> Bool {
        var newPages = newPages
        newPages.prepare(count, after: 0)
        if let bytes { newPages.start.copyMemory(from: bytes, byteCount: count) }
        Self.free(bytes, pages)
        return adopt(newPages)
    }

    private mutating func adopt(_ newPages: ContentPages?) -> Bool {
        guard let newPages else { return false }
        (bytes, capacity, pages) = (newPages.start, newPages.capacity, newPages)
        return true
    }

    private mutating func forget() {
        (bytes, count, capacity, pages) = (nil, 0, 0, nil)
    }

    private static func free(_ bytes: UnsafeMutableRawPointer?, _ pages: ContentPages?) {
        if let pages { pages.release() } else { ccurl_free_content(bytes) }
    }
}
