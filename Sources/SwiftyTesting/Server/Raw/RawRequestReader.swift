// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// Cuts requests out of the bytes of one connection.
///
/// Bytes after a request stay in the buffer for the next one, so pipelined requests are read one by one. Every
/// function returns nil when the peer ends its stream too early.
struct RawRequestReader {
    let socket: StreamSocket
    private var buffer: [UInt8] = []
    private var position = 0

    init(socket: StreamSocket) {
        self.socket = socket
    }

    /// The bytes up to and including the first empty line.
    mutating func readHead() -> [UInt8]? {
        discardRead()
        while true {
            guard let line = readLine() else { return nil }
            // An empty line before a request line is allowed (RFC 9112, 2.2); the head then starts after it.
            if line.isEmpty && !isFirstLineEmpty { return Array(buffer[headStart..<position]) }
        }
    }

    /// The body of `request` in both forms.
    mutating func readBody(of request: RawRequest) -> (wire: [UInt8], decoded: [UInt8])? {
        discardRead()
        if request.values(of: "Transfer-Encoding").contains(where: { $0.lowercased().contains("chunked") }) {
            guard let decoded = readChunks() else { return nil }
            return (Array(buffer[..<position]), decoded)
        }
        guard let length = request["Content-Length"].flatMap({ Int($0) }), length > 0 else { return ([], []) }
        guard let bytes = read(length) else { return nil }
        return (Array(bytes), Array(bytes))
    }

    /// Drops `count` bytes; false if there were fewer.
    mutating func skip(_ count: Int) -> Bool {
        var left = count
        while true {
            let available = min(left, buffer.count - position)
            position += available
            left -= available
            if left == 0 { return true }
            discardRead()
            guard receiveMore() else { return false }
        }
    }

    // MARK: - Pieces

    private var headStart: Int {
        buffer[..<position].firstIndex { $0 != Self.carriageReturn && $0 != Self.lineFeed } ?? position
    }

    private var isFirstLineEmpty: Bool { headStart == position }

    private mutating func readChunks() -> [UInt8]? {
        var decoded: [UInt8] = []
        while let line = readLine() {
            let digits = String(
                decoding: line.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: " ") },
                as: UTF8.self
            )
            guard let size = Int(digits, radix: 16), size >= 0 else { return nil }
            if size == 0 { return readTrailers() ? decoded : nil }
            guard let bytes = read(size) else { return nil }
            decoded += bytes
            guard readLine() != nil else { return nil }
        }
        return nil
    }

    private mutating func readTrailers() -> Bool {
        while let line = readLine() {
            if line.isEmpty { return true }
        }
        return false
    }

    /// The next line without its end, which may be a bare line feed.
    private mutating func readLine() -> ArraySlice<UInt8>? {
        var searched = position
        while true {
            if let end = buffer[searched...].firstIndex(of: Self.lineFeed) {
                let line = buffer[position..<end]
                position = end + 1
                return line.last == Self.carriageReturn ? line.dropLast() : line
            }
            searched = buffer.count
            guard receiveMore() else { return nil }
        }
    }

    private mutating func read(_ count: Int) -> ArraySlice<UInt8>? {
        while buffer.count - position < count {
            guard receiveMore() else { return nil }
        }
        defer { position += count }
        return buffer[position..<position + count]
    }

    private mutating func receiveMore() -> Bool {
        let bytes = socket.receive()
        buffer += bytes
        return !bytes.isEmpty
    }

    private mutating func discardRead() {
        buffer.removeFirst(position)
        position = 0
    }

    private static let carriageReturn = UInt8(ascii: "\r")
    private static let lineFeed = UInt8(ascii: "\n")
}
