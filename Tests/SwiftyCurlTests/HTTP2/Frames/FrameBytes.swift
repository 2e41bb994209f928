// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// Frames of HTTP/2 as bytes, whether RFC 9113 allows them or not.
enum FrameBytes {
    enum Kind: UInt8 {
        case data = 0
        case headers, priority, reset, settings, push, ping, goAway, window, continuation
        case unknown = 0xFA
    }

    static let end: UInt8 = 1
    static let acknowledgement: UInt8 = 1
    static let endOfHead: UInt8 = 4
    static let padded: UInt8 = 8
    static let prioritized: UInt8 = 0x20

    static func frame(
        _ kind: Kind,
        _ flags: UInt8 = 0,
        on stream: UInt32 = 1,
        _ payload: [UInt8] = [],
        length: Int? = nil
    ) -> [UInt8] {
        let length = length ?? payload.count
        return [UInt8(length >> 16 & 0xFF), UInt8(length >> 8 & 0xFF), UInt8(length & 0xFF), kind.rawValue, flags]
            + number(stream) + payload
    }

    static func frame(_ kind: Kind, on stream: UInt32 = 1, _ payload: [UInt8]) -> [UInt8] {
        frame(kind, 0, on: stream, payload)
    }

    /// The largest window (RFC 9113 §6.9.1), and the largest number of a stream.
    static let maximum: UInt32 = 0x7FFF_FFFF

    /// 32 bits.
    static func number(_ value: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }

    // MARK: Frames on the connection

    static func settings(_ values: (UInt16, UInt32)...) -> [UInt8] {
        frame(
            .settings,
            on: 0,
            values.flatMap { [UInt8($0.0 >> 8), UInt8(truncatingIfNeeded: $0.0)] + number($0.1) }
        )
    }

    static let ping = frame(.ping, on: 0, [UInt8](repeating: 7, count: 8))

    static func goAway(_ code: UInt32, last: UInt32, _ text: String = "") -> [UInt8] {
        frame(.goAway, on: 0, number(last) + number(code) + Array(text.utf8))
    }

    static func window(_ increment: UInt32, on stream: UInt32) -> [UInt8] {
        frame(.window, on: stream, number(increment))
    }

    // MARK: Frames of an exchange

    static func reset(_ code: UInt32, on stream: UInt32 = 1) -> [UInt8] {
        frame(.reset, on: stream, number(code))
    }

    static func data(_ text: String = "ok", _ flags: UInt8 = end, on stream: UInt32 = 1) -> [UInt8] {
        frame(.data, flags, on: stream, Array(text.utf8))
    }

    /// A head in one frame.
    static func head(_ block: [UInt8] = ok, _ flags: UInt8 = 0, on stream: UInt32 = 1) -> [UInt8] {
        frame(.headers, endOfHead | flags, on: stream, block)
    }

    /// A head with status 200 and these fields.
    static func head(_ fields: [(String, String)], _ flags: UInt8 = 0) -> [UInt8] {
        head(ok + block(fields), flags)
    }

    /// A complete response with the content "ok".
    static let answer = head() + data()

    // MARK: Header compression (RFC 7541)

    /// `:status: 200`, the eighth entry of the static table.
    static let ok: [UInt8] = [0x88]

    static func block(_ fields: [(String, String)]) -> [UInt8] {
        fields.flatMap { [0] + string(Array($0.0.utf8)) + string(Array($0.1.utf8)) }
    }

    /// A string without Huffman coding.
    static func string(_ bytes: [UInt8]) -> [UInt8] { integer(bytes.count, prefix: 7) + bytes }

    /// An integer whose first byte has this number of bits for it; the other bits are zero.
    static func integer(_ value: Int, prefix: Int) -> [UInt8] {
        let limit = 1 << prefix - 1
        if value < limit { return [UInt8(value)] }
        var bytes = [UInt8(limit)]
        var rest = value - limit
        while rest >= 128 {
            bytes.append(UInt8(rest & 127 | 128))
            rest >>= 7
        }
        return bytes + [UInt8(rest)]
    }
}
