// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CZlib

/// Decodes `gzip`, member after member, and `deflate`.
final class ZlibDecoder: BufferDecoder {
    /// The coding by its name in HTTP.
    enum Format {
        case gzip
        case deflate
    }

    private let format: Format
    // Safety: zlib keeps a pointer to the structure, so it stays at one place; freed with this object.
    private let stream: UnsafeMutablePointer<z_stream>
    /// The first two bytes tell whether `deflate` means zlib's format or the bare one.
    private var start: [UInt8] = []
    private var isOpen = false
    private(set) var isComplete = false

    /// Returns `nil` if allocation fails.
    init?(_ format: Format) {
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        stream.initialize(to: z_stream())
        let size = Int32(MemoryLayout<z_stream>.size)
        // zlib's numbers for formats: 15 for zlib, negative for bare deflate, 16 more for gzip.
        guard inflateInit2_(stream, 15 + (format == .gzip ? 16 : 0), ZLIB_VERSION, size) == Z_OK else {
            stream.deallocate()
            return nil
        }
        // Not earlier: once all properties are set, `return nil` would run `deinit`.
        (self.format, self.stream) = (format, stream)
        isOpen = format == .gzip
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    func decode(
        _ input: inout UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) throws(SwiftyError) -> Int {
        if !isOpen, try !open(&input) { return 0 }
        // Two bytes cannot fill the output.
        let written = try inflateStart(output)
        if isComplete, !input.isEmpty { try beginMember(input) }
        return try written + inflate(&input, UnsafeMutableRawBufferPointer(rebasing: output.dropFirst(written)))
    }

    /// Decodes the bytes that told the format.
    private func inflateStart(_ output: UnsafeMutableRawBufferPointer) throws(SwiftyError) -> Int {
        if start.isEmpty { return 0 }
        let result = start.withUnsafeBytes { bytes in
            Result { () throws(SwiftyError) in
                var bytes = bytes
                return try inflate(&bytes, output)
            }
        }
        start = []
        return try result.get()
    }

    /// Detects the format.
    ///
    /// - Returns: `false` as long as there are not enough bytes to tell.
    private func open(_ input: inout UnsafeRawBufferPointer) throws(SwiftyError) -> Bool {
        let missing = input.prefix(2 - start.count)
        start.append(contentsOf: missing)
        input.keepLast(input.count - missing.count)
        guard start.count == 2 else { return false }
        isOpen = true
        // RFC 1950 §2.2: the method is 8, and the first two bytes are a multiple of 31.
        let isZlib = start[0] & 0x0F == 8 && (Int(start[0]) << 8 | Int(start[1])) % 31 == 0
        guard inflateReset2(stream, isZlib ? 15 : -15) == Z_OK else { throw .outOfMemory }
        return true
    }

    /// Begins another member, which only gzip may have.
    private func beginMember(_ input: UnsafeRawBufferPointer) throws(SwiftyError) {
        guard format == .gzip, input.first == 0x1F else { throw .trailingBytes }
        inflateReset(stream)
        isComplete = false
    }

    private func inflate(
        _ input: inout UnsafeRawBufferPointer,
        _ output: UnsafeMutableRawBufferPointer
    ) throws(SwiftyError) -> Int {
        // Safety: zlib does not write to its input, whatever the type says, and uses neither pointer after the call.
        stream.pointee.next_in = UnsafeMutablePointer(mutating: input.bindMemory(to: UInt8.self).baseAddress)
        stream.pointee.avail_in = UInt32(clamping: input.count)
        stream.pointee.next_out = output.bindMemory(to: UInt8.self).baseAddress
        stream.pointee.avail_out = UInt32(clamping: output.count)
        let status = CZlib.inflate(stream, Z_NO_FLUSH)
        let taken = min(input.count, Int(UInt32.max)) - Int(stream.pointee.avail_in)
        input.keepLast(input.count - taken)
        switch status {
        // `Z_BUF_ERROR`: no progress was possible, since the input is used up or the output is full.
        case Z_OK, Z_BUF_ERROR: break
        case Z_STREAM_END: isComplete = true
        case Z_MEM_ERROR: throw .outOfMemory
        default: throw .damaged
        }
        return output.count - Int(stream.pointee.avail_out)
    }
}
