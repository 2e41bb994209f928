// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// Joins bytes in memory on the caller's stack, which costs less than an array that grows. Bytes that do not fit go to
/// an array.
struct ByteWriter {
    // Safety: valid while the closure of ``withScratch(_:)`` runs.
    private let scratch: UnsafeMutableRawBufferPointer
    /// The free end of the scratch memory.
    private var free: UnsafeMutableRawBufferPointer
    /// The bytes that were written before those in the scratch memory.
    private var earlier: [UInt8] = []

    private static let scratchSize = 1 << 10

    /// The number of bytes that were written.
    var count: Int { earlier.count + scratch.count - free.count }

    /// Calls the closure with a writer, which must not escape.
    static func withScratch<Result, Failure: Error>(
        _ body: (inout ByteWriter) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try withUnsafeTemporaryAllocation(byteCount: scratchSize, alignment: 1) { scratch throws(Failure) in
            var writer = ByteWriter(scratch: scratch, free: scratch)
            return try body(&writer)
        }
    }

    /// All bytes that were written.
    func finish() -> [UInt8] {
        earlier.isEmpty ? Array(used) : earlier + used
    }

    private var used: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: scratch.dropLast(free.count))
    }

    @inline(__always)
    mutating func append(_ byte: UInt8) {
        if free.isEmpty { makeRoom() }
        free[0] = byte
        take(1)
    }

    mutating func append(_ text: StaticString) {
        append(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Appends a string as UTF-8.
    mutating func append(_ text: String, droppingFirst count: Int = 0) {
        let isDone: Void? = text.utf8.withContiguousStorageIfAvailable {
            append(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: $0[count...])))
        }
        if isDone == nil { append(Array(text.utf8.dropFirst(count))) }
    }

    mutating func append(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { append($0) }
    }

    @inline(__always)
    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.baseAddress else { return }
        if bytes.count > free.count { return appendLong(bytes) }
        free.baseAddress?.copyMemory(from: start, byteCount: bytes.count)
        take(bytes.count)
    }

    private mutating func take(_ count: Int) {
        free = UnsafeMutableRawBufferPointer(rebasing: free[count...])
    }

    private mutating func appendLong(_ bytes: UnsafeRawBufferPointer) {
        makeRoom()
        earlier.append(contentsOf: bytes)
    }

    private mutating func makeRoom() {
        earlier.append(contentsOf: used)
        free = scratch
    }
}
