// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// A frame of HTTP/2 (RFC 9113 §4.1).
struct HTTP2Frame {
    enum Kind: UInt8 {
        case data = 0
        case headers = 1
        case priority = 2
        case reset = 3
        case settings = 4
        case pushPromise = 5
        case ping = 6
        case goAway = 7
        case windowUpdate = 8
        case continuation = 9
    }

    static let endStream: UInt8 = 1
    static let acknowledgement: UInt8 = 1
    static let endHeaders: UInt8 = 4
    static let padded: UInt8 = 8
    static let withPriority: UInt8 = 0x20

    var kind: UInt8
    var flags: UInt8 = 0
    var stream: Int = 0
    var payload: [UInt8] = []

    init(_ kind: Kind, flags: UInt8 = 0, stream: Int = 0, _ payload: [UInt8] = []) {
        self.kind = kind.rawValue
        self.flags = flags
        self.stream = stream
        self.payload = payload
    }

    /// A frame of content, perhaps with padding behind it.
    init(stream: Int, _ content: [UInt8], padding: Int) {
        let isPadded = padding > 0
        let payload = isPadded ? [UInt8(padding)] + content + [UInt8](repeating: 0, count: padding) : content
        self.init(.data, flags: isPadded ? Self.padded : 0, stream: stream, payload)
    }

    func has(_ flag: UInt8) -> Bool { flags & flag != 0 }

    var bytes: [UInt8] {
        let length = payload.count
        let head = [UInt8(length >> 16 & 255), UInt8(length >> 8 & 255), UInt8(length & 255), kind, flags]
        return head + Self.word(stream) + payload
    }

    /// A number as four bytes.
    static func word(_ number: Int) -> [UInt8] {
        [UInt8(number >> 24 & 255), UInt8(number >> 16 & 255), UInt8(number >> 8 & 255), UInt8(number & 255)]
    }

    /// The number that begins at a position of the payload.
    func number(at position: Int) -> Int {
        payload[position..<position + 4].reduce(0) { $0 << 8 | Int($1) }
    }

    /// Takes a frame from the beginning of the bytes; `nil` until all of it has arrived.
    static func take(from bytes: inout ArraySlice<UInt8>) -> HTTP2Frame? {
        guard bytes.count >= 9 else { return nil }
        let start = bytes.startIndex
        let length = Int(bytes[start]) << 16 | Int(bytes[start + 1]) << 8 | Int(bytes[start + 2])
        guard bytes.count >= 9 + length else { return nil }
        var frame = HTTP2Frame(.data, flags: bytes[start + 4])
        frame.kind = bytes[start + 3]
        frame.stream = bytes[start + 5..<start + 9].reduce(0) { $0 << 8 | Int($1) } & 0x7FFF_FFFF
        frame.payload = Array(bytes[start + 9..<start + 9 + length])
        bytes = bytes.dropFirst(9 + length)
        return frame
    }
}
