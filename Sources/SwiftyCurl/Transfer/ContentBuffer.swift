// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl

import struct Foundation.Data

/// The content of a response while it arrives.
///
/// It becomes a `Data` without being copied. Unlike a `Data`, it does not trap when memory is short.
struct ContentBuffer: ~Copyable {
    // Safety: allocated by malloc or its like, owned by this value until it is given away, and freed by exactly one owner.
    private var bytes: UnsafeMutableRawPointer?
    private(set) var count = 0
    private var capacity = 0
    /// Up to where the system was asked for pages.
    private var mapped = 0

    deinit {
        ccurl_free_content(bytes)
    }

    /// Adds what arrived. Returns false when memory is short.
    ///
    /// - Parameter expected: how much there will be in all, as far as that is to be believed.
    mutating func append(_ arrived: UnsafeRawBufferPointer, expected: Int) -> Bool {
        guard let source = arrived.baseAddress, arrived.count > 0 else { return true }
        let needed = count + arrived.count
        // To what is expected, or else to twice what there is: in small steps it would be copied again and again.
        if needed > capacity, !resize(to: expected >= needed ? expected : max(needed, 2 * capacity)) { return false }
        if needed > mapped { mapAhead(of: needed) }
        bytes?.advanced(by: count).copyMemory(from: source, byteCount: arrived.count)
        count = needed
        return true
    }

    /// Ahead by as much as is there, so that nobody gets memory by announcing content; and in steps that stay in the
    /// processor's cache until they are filled.
    private mutating func mapAhead(of needed: Int) {
        let step = min(count, 256 << 10)
        let end = step < 64 << 10 ? needed : min(needed + step, capacity)
        if let bytes, end > needed { ccurl_map_content(bytes.advanced(by: mapped), end - mapped) }
        mapped = end
    }

    private mutating func resize(to newCapacity: Int) -> Bool {
        guard let newBytes = ccurl_resize_content(bytes, newCapacity) else { return false }
        bytes = newBytes
        capacity = newCapacity
        return true
    }

    mutating func removeAll() {
        ccurl_free_content(bytes)
        (bytes, count, capacity, mapped) = (nil, 0, 0, 0)
    }

    /// Gives the content away, and is empty afterwards.
    mutating func take() -> Data {
        if capacity - count > max(count / 4, 64) { _ = resize(to: count) }
        guard let bytes, count > 0 else { return Data() }
        defer { (self.bytes, count, capacity, mapped) = (nil, 0, 0, 0) }
        return Data(bytesNoCopy: bytes, count: count, deallocator: .free)
    }
}
