// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// What is seen of a chunked response as it is on the wire: how much of it is framing, and whether its very end arrived.
///
/// libcurl itself checks the chunks, with one gap: it takes the end of the connection for the very last line feed. It cannot
/// tell whether a trailer was to follow, for a trailer begins with any byte but that.
struct ChunkFraming {
    private var byteCount = 0
    private var last: UInt8?
    private var hasEnded = false

    /// Takes the next bytes.
    mutating func receive(_ bytes: UnsafeRawBufferPointer) {
        byteCount &+= bytes.count
        last = bytes.last ?? last
    }

    /// Bytes follow the end: these are what was seen last.
    mutating func end() {
        hasEnded = true
    }

    /// Whether the framing has more bytes than the limit, and sixteen for each byte of content.
    func exceeds(_ limit: Int, around contentCount: Int) -> Bool {
        byteCount &- contentCount &* 17 > limit
    }

    /// Whether the end is missing of what libcurl calls complete.
    ///
    /// False if no framing was seen at all: then this libcurl shows the content alone.
    func isCut(around contentCount: Int) -> Bool {
        !hasEnded && byteCount > contentCount && last != UInt8(ascii: "\n")
    }
}
