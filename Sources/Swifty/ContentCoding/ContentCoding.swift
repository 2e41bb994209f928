// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CZlib
import Foundation

/// A content coding of RFC 9110 §8.4.1 that Swifty decodes.
enum ContentCoding {
    /// One or more members of RFC 1952.
    case gzip
    /// The zlib format of RFC 1950; bare RFC 1951, which some servers send under this name, is understood too.
    case deflate

    init?(name: String) {
        switch name {
        case "gzip", "x-gzip": self = .gzip
        case "deflate": self = .deflate
        default: return nil
        }
    }

    /// Decodes a whole content.
    ///
    /// - Parameter limit: how many bytes the result may have.
    func decode(_ content: Data, limit: Int) throws(ContentCodingError) -> Data {
        var output = Data()
        var rest = content[...]
        repeat {
            let used = try inflateMember(rest, into: &output, limit: limit)
            rest = rest.dropFirst(used)
            // Only gzip may go on with another member.
        } while self == .gzip && rest.starts(with: [0x1F, 0x8B])
        if !rest.isEmpty {
            throw ContentCodingError(.malformedResponse, "the compressed content is followed by something else")
        }
        return output
    }

    private func inflateMember(_ input: Data, into output: inout Data, limit: Int) throws(ContentCodingError) -> Int {
        guard var stream = InflateStream(windowBits: windowBits(for: input)) else {
            throw ContentCodingError(.transportFailed, "there is no memory to decompress the content")
        }
        return try stream.inflateAll(input, into: &output, limit: limit)
    }

    /// zlib's way to name a format: 15 for zlib, negative for bare, 16 more for gzip.
    private func windowBits(for input: Data) -> Int32 {
        switch self {
        case .gzip: return 15 + 16
        case .deflate:
            // RFC 1950 §2.2: the method is 8, and the first two bytes are a multiple of 31.
            guard input.count >= 2 else { return 15 }
            let first = input[input.startIndex]
            let second = input[input.startIndex + 1]
            return first & 0x0F == 8 && (Int(first) << 8 | Int(second)) % 31 == 0 ? 15 : -15
        }
    }
}

/// Why a content could not be decoded.
struct ContentCodingError: Error {
    let code: SwiftyError.Code
    let reason: String

    init(_ code: SwiftyError.Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }
}

/// zlib's state for one compressed stream.
private struct InflateStream: ~Copyable {
    private static let chunk = 64 << 10

    // Safety: zlib keeps a pointer to the structure, so it stays at one place; freed with this.
    private let stream: UnsafeMutablePointer<z_stream>

    init?(windowBits: Int32) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        guard inflateInit2_(stream, windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            stream.deallocate()
            return nil
        }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    /// Decodes one stream and returns how many bytes of the input it took.
    mutating func inflateAll(_ input: Data, into output: inout Data, limit: Int) throws(ContentCodingError) -> Int {
        let result = input.withUnsafeBytes { bytes -> Result<Int, ContentCodingError> in
            // Safety: zlib does not write to its input, whatever the type says; it is not used after this closure.
            let start = UnsafeMutablePointer(mutating: bytes.bindMemory(to: UInt8.self).baseAddress)
            stream.pointee.next_in = start
            stream.pointee.avail_in = UInt32(clamping: bytes.count)
            return Result { () throws(ContentCodingError) in
                while try step(&output, limit) {}
                return bytes.count - Int(stream.pointee.avail_in)
            }
        }
        return try result.get()
    }

    /// Decodes up to one chunk. Returns whether there is more.
    private func step(_ output: inout Data, _ limit: Int) throws(ContentCodingError) -> Bool {
        let before = output.count
        output.count += Self.chunk
        let status = output.withUnsafeMutableBytes { bytes in
            stream.pointee.next_out = bytes.bindMemory(to: UInt8.self).baseAddress?.advanced(by: before)
            stream.pointee.avail_out = UInt32(Self.chunk)
            return inflate(stream, Z_NO_FLUSH)
        }
        output.count = before + Self.chunk - Int(stream.pointee.avail_out)
        if output.count > limit {
            throw ContentCodingError(.responseTooLarge, "the decompressed content exceeds \(limit) bytes")
        }
        switch status {
        case Z_STREAM_END: return false
        case Z_OK where stream.pointee.avail_in > 0 || stream.pointee.avail_out == 0: return true
        case Z_OK, Z_BUF_ERROR: throw ContentCodingError(.malformedResponse, "the compressed content is cut off")
        case Z_MEM_ERROR: throw ContentCodingError(.transportFailed, "there is no memory to decompress the content")
        default: throw ContentCodingError(.malformedResponse, "the compressed content is damaged")
        }
    }
}
