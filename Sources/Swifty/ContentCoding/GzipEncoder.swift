// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CZlib

import struct Foundation.Data

/// Compresses with gzip (RFC 1952), part after part.
// Safety: one task at a time uses an encoder; see `EncodedSource`.
final class GzipEncoder: ContentEncoder, @unchecked Sendable {
    // Safety: zlib keeps a pointer to the structure, so it stays at one place; freed with this object.
    private let stream: UnsafeMutablePointer<z_stream>

    /// The number of bytes by which the output grows.
    private static let pieceSize = 32 << 10

    /// Returns `nil` if there is no memory.
    ///
    /// - Parameter level: The effort, 1...9; one outside is moved into the range.
    init?(level: Int) {
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        stream.initialize(to: z_stream())
        let size = Int32(MemoryLayout<z_stream>.size)
        let level = Int32(min(max(level, 1), 9))
        // 15 is the size of the window, 16 more means gzip; 8 is zlib's default use of memory.
        let status = deflateInit2_(stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size)
        guard status == Z_OK else {
            stream.deallocate()
            return nil
        }
        self.stream = stream
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
    }

    /// All of the bytes, compressed; `nil` if there is no memory.
    static func encode(_ bytes: Data, level: Int) -> Data? {
        guard let encoder = GzipEncoder(level: level) else { return nil }
        return encoder.encode(bytes) + encoder.finish()
    }

    /// Takes more bytes. Returns what can be sent, which may be empty.
    func encode(_ bytes: Data) -> Data {
        var output = Data()
        var rest = bytes
        // zlib counts in 32 bits.
        while !rest.isEmpty {
            let part = rest.prefix(1 << 30)
            rest = rest.dropFirst(part.count)
            part.withUnsafeBytes { input in
                // Safety: zlib does not write to its input, whatever the type says, and uses no pointer to it after it
                // has taken all of it, in this call.
                stream.pointee.next_in = UnsafeMutablePointer(mutating: input.bindMemory(to: UInt8.self).baseAddress)
                stream.pointee.avail_in = UInt32(input.count)
                output += deflate(Z_NO_FLUSH)
            }
        }
        return output
    }

    /// The end of the compressed content.
    func finish() -> Data {
        (stream.pointee.next_in, stream.pointee.avail_in) = (nil, 0)
        return deflate(Z_FINISH)
    }

    /// Runs zlib until it has no more output for the input.
    private func deflate(_ flush: Int32) -> Data {
        var output = Data()
        var isFull = true
        while isFull {
            let start = output.count
            output.count += Self.pieceSize
            let unused = output.withUnsafeMutableBytes { buffer in
                let room = UnsafeMutableRawBufferPointer(rebasing: buffer[start...])
                stream.pointee.next_out = room.bindMemory(to: UInt8.self).baseAddress
                stream.pointee.avail_out = UInt32(room.count)
                _ = CZlib.deflate(stream, flush)
                return Int(stream.pointee.avail_out)
            }
            output.count -= unused
            isFull = unused == 0
        }
        return output
    }
}
