// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// Reads requests from the bytes of one connection.
///
/// Bytes after a request stay in the buffer for the next one, so pipelined requests are read one by one.
struct RequestReader {
    private let socket: StreamSocket
    private var buffer: [UInt8] = []
    private var position = 0

    init(socket: StreamSocket) {
        self.socket = socket
    }

    /// Whether bytes have been received that are not part of a request read so far.
    var hasBufferedBytes: Bool { position < buffer.count }

    /// The bytes of a request line and header lines, up to and including the empty line.
    ///
    /// - Throws: A ``RequestError``, immediately if the first byte is that of a TLS handshake, which may never contain
    ///   a line end.
    mutating func readHead(limit: Int = .max) throws(RequestError) -> [UInt8] {
        discardRead()
        if buffer.isEmpty { try receiveMore() }
        // The content type `handshake` of a TLS record (RFC 8446 §5.1).
        guard buffer.first != 0x16 else { throw .malformed("this port speaks HTTP without TLS") }
        var start = 0
        // Empty lines may precede a request.
        while try readLine(limit: limit).isEmpty { start = position }
        while try !readLine(limit: limit).isEmpty {}
        return Array(buffer[start..<position])
    }

    /// Reads content: as it was on the wire, and without the framing of chunks.
    ///
    /// - Parameters:
    ///   - count: The number of bytes of the content after which reading ends; of chunks, the last one is read whole.
    ///   - limit: The number of bytes above which content is refused.
    mutating func readContent(
        _ framing: ContentFraming,
        atMost count: Int = .max,
        limit: Int = .max
    ) throws(RequestError) -> (wire: [UInt8], decoded: [UInt8]) {
        discardRead()
        switch framing {
        case .none:
            return ([], [])
        case .length(let length):
            let bytes = Array(try read(min(length, count), limit: limit))
            return (bytes, bytes)
        case .chunked:
            let decoded = try readChunks(atMost: count, limit: limit)
            return (Array(buffer[..<position]), decoded)
        }
    }

    /// The next bytes, of any protocol.
    mutating func readBytes(_ count: Int) throws(RequestError) -> [UInt8] {
        discardRead()
        return Array(try read(count, limit: .max))
    }

    mutating func skip(_ count: Int) throws(RequestError) {
        var left = count
        while true {
            let available = min(left, buffer.count - position)
            position += available
            left -= available
            if left == 0 { return }
            discardRead()
            try receiveMore(left)
        }
    }

    // MARK: - Pieces

    private mutating func readChunks(atMost count: Int, limit: Int) throws(RequestError) -> [UInt8] {
        var decoded: [UInt8] = []
        while true {
            if decoded.count >= count { return decoded }
            let size = try readChunkSize()
            if size == 0 { break }
            decoded += try read(size, limit: limit - decoded.count)
            guard try readLine().isEmpty else { throw .malformed("a chunk is longer than its size") }
        }
        while try !readLine().isEmpty {}  // trailers
        return decoded
    }

    private mutating func readChunkSize() throws(RequestError) -> Int {
        let line = try readLine()
        let digits = line.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: " ") }
        guard let size = Int(String(decoding: digits, as: UTF8.self), radix: 16), size >= 0 else {
            throw .malformed("a chunk size is not a hexadecimal number")
        }
        return size
    }

    /// The next line without its end, which may be a bare line feed.
    private mutating func readLine(limit: Int = .max) throws(RequestError) -> ArraySlice<UInt8> {
        var searched = position
        while true {
            if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                let line = buffer[position..<end]
                position = end + 1
                return line.last == UInt8(ascii: "\r") ? line.dropLast() : line
            }
            searched = buffer.count
            guard searched <= limit else { throw .rejected(status: 431, reason: "the request head is too long") }
            try receiveMore()
        }
    }

    private mutating func read(_ count: Int, limit: Int) throws(RequestError) -> ArraySlice<UInt8> {
        guard count <= limit else { throw .rejected(status: 413, reason: "the request content is too long") }
        while buffer.count - position < count {
            try receiveMore(count - (buffer.count - position))
        }
        defer { position += count }
        return buffer[position..<position + count]
    }

    private mutating func receiveMore(_ wanted: Int = 0) throws(RequestError) {
        let bytes = socket.receive(limit: min(max(wanted, 16_384), 1_048_576))
        guard !bytes.isEmpty else { throw .endOfStream }
        buffer += bytes
    }

    private mutating func discardRead() {
        buffer.removeFirst(position)
        position = 0
    }
}

/// The reason why no request could be read from a connection.
enum RequestError: Error, Equatable {
    /// The peer ended its stream before the request was complete; normal between two requests.
    case endOfStream

    /// The peer sent bytes that are not HTTP/1.1, or more than the server accepts.
    case rejected(status: Int, reason: String)

    /// A violation of the protocol; the response is a 400.
    static func malformed(_ reason: String) -> RequestError { .rejected(status: 400, reason: reason) }
}

/// The way in which the end of request content is marked (RFC 9112 §6).
enum ContentFraming: Equatable {
    case none
    case length(Int)
    case chunked
}
