// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import struct Foundation.Data

/// The chunks of content of unknown length while they are sent (RFC 9112 §7.1). A part of the content becomes a chunk
/// when it is about to be written, so that content never carries the framing of another connection.
struct ChunkWriter {
    /// The chunk that is being sent.
    private var bytes = Data()
    private var sentCount = 0
    /// The number of bytes of content in it.
    private var contentCount = 0
    /// Whether it is the last one, which has no content.
    private var isLast = false

    /// Whether a part of a chunk is to be sent.
    var hasBytes: Bool { sentCount < bytes.count }
    /// Whether the last chunk was sent.
    var isFinished: Bool { isLast && !hasBytes }

    /// Whether there is something to send, of a chunk or of content that becomes one.
    func hasBytes(of upload: Upload) -> Bool {
        hasBytes || upload.hasBytes || upload.isComplete && !isLast
    }

    /// Makes a chunk of the content that can be sent now, if all earlier chunks were sent.
    mutating func fill(from upload: inout Upload) {
        guard !hasBytes else { return }
        if upload.hasBytes {
            begin(upload.takePart())
        } else if upload.isComplete, !isLast {
            isLast = true
            (bytes, sentCount, contentCount) = (Data("0\r\n\r\n".utf8), 0, 0)
        }
    }

    private mutating func begin(_ part: Data) {
        let size = String(part.count, radix: 16)
        bytes = Data(capacity: size.utf8.count + part.count + 4)
        bytes += Data("\(size)\r\n".utf8)
        bytes += part
        bytes += Data("\r\n".utf8)
        (sentCount, contentCount) = (0, part.count)
    }

    /// Calls the closure with the bytes that can be sent now, at most `limit` of them.
    func withUnsafeBytes<Result>(limit: Int, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[sentCount...].prefix(limit))) }
    }

    /// Bytes of the chunk were sent. Returns the number of bytes of content that were sent with its end.
    mutating func noteSent(_ count: Int) -> Int {
        sentCount += count
        if hasBytes { return 0 }
        defer { contentCount = 0 }
        return contentCount
    }
}
