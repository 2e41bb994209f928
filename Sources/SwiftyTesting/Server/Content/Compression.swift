// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CZlib
import Foundation

/// Content codings made by zlib (RFC 9110, section 8.4.1).
enum Compression {
    case gzip
    /// The zlib format, which is what the coding `deflate` means, in spite of its name.
    case deflate

    private var windowBits: Int32 {
        switch self {
        case .gzip: 15 + 16
        case .deflate: 15
        }
    }

    /// The compressed form of `data`; nil if zlib refuses.
    func compress(_ data: Data) -> Data? {
        var stream = z_stream()
        let size = Int32(MemoryLayout<z_stream>.size)
        let version = zlibVersion()
        guard deflateInit2_(&stream, 6, Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY, version, size) == Z_OK else {
            return nil
        }
        defer { deflateEnd(&stream) }
        var input = [UInt8](data)
        var output = [UInt8](repeating: 0, count: Int(deflateBound(&stream, uLong(input.count))))
        // Safety: zlib reads and writes only within the two buffers, for the time of this one call.
        let result = input.withUnsafeMutableBufferPointer { source in
            output.withUnsafeMutableBufferPointer { target in
                stream.next_in = source.baseAddress
                stream.avail_in = uInt(source.count)
                stream.next_out = target.baseAddress
                stream.avail_out = uInt(target.count)
                return CZlib.deflate(&stream, Z_FINISH)
            }
        }
        guard result == Z_STREAM_END else { return nil }
        return Data(output.prefix(output.count - Int(stream.avail_out)))
    }
}
