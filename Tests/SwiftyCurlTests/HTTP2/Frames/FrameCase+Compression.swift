// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTransport

extension FrameCase {
    private typealias F = FrameBytes

    /// Compressed fields (RFC 7541), statuses and the limits of a head.
    static let compression = valid + invalid + invalidHeads + statuses + limits

    /// A literal field `a: b` that enters the dynamic table as its entry 62.
    private static let entry: [UInt8] = [0x40, 1, 0x61, 1, 0x62]

    private static func table(_ size: Int) -> [UInt8] {
        var bytes = F.integer(size, prefix: 5)
        bytes[0] |= 0x20
        return bytes
    }

    /// A length of 127 in three bytes instead of two.
    private static let needless: [UInt8] = [0, 1, 0x61, 0x7F, 0x80, 0x00] + [UInt8](repeating: 0x61, count: 127)

    /// Blocks that every client reads.
    private static let valid: [FrameCase] = validBlocks.map { name, section, block in
        FrameCase(name, section, F.head(block) + F.data(), .success)
    }

    private static let validBlocks: [(String, String, [UInt8])] = [
        ("a literal field that enters the table, and its entry", "H6.2.1", F.ok + entry + [0xBE]),
        ("a literal field that never enters it", "H6.2.3", F.ok + [0x10, 1, 0x61, 1, 0x62]),
        ("a literal field with an indexed name", "H6.2.2", F.ok + [0x0F, 0x00, 1, 0x62]),
        ("a value in Huffman code", "H5.2", F.ok + [0x00, 1, 0x61, 0x81, 0x1F]),
        ("a table of no byte", "H6.3", table(0) + F.ok),
        ("two sizes of the table", "H4.2", table(0) + table(4096) + F.ok + entry + [0xBE]),
        ("an entry that leaves the table", "H4.4", table(40) + F.ok + entry + entry + [0xBE]),
        ("an entry too large for the table", "H4.4", table(30) + F.ok + entry),
        (
            "an integer with needless bytes", "H5.1",
            F.ok + needless
        ),
    ]

    /// Blocks that are an error of the connection: the tables of both sides may differ behind them.
    private static let invalid: [FrameCase] = invalidBlocks.map { name, section, block in
        FrameCase(name, section, F.head(F.ok + block) + F.data(), .connection(9))
    }

    private static let invalidBlocks: [(String, String, [UInt8])] = [
        ("the index zero", "H6.1", [0x80]), ("an index beyond the table", "H2.3.3", [0xBE]),
        ("an index far beyond the table", "H2.3.3", [0xFF, 0xFF, 0xFF, 0x03]),
        ("a name beyond the table", "H2.3.3", [0x7E, 1, 0x62]),
        ("an integer that is cut", "H5.1", [0xFF, 0x80]),
        ("an integer of 20 bytes", "H5.1", [UInt8](repeating: 0xFF, count: 20) + [0]),
        ("a name longer than its block", "H5.2", [0x00, 0x20, 0x61]),
        ("a value longer than its block", "H5.2", [0x00, 1, 0x61, 0x20, 0x62]),
        ("a name without a value", "H6.2", [0x00, 1, 0x61]),
        ("a Huffman code of the end", "H5.2", [0x00, 1, 0x61, 0x84, 0xFF, 0xFF, 0xFF, 0xFF]),
        ("a Huffman code with 8 bits of padding", "H5.2", [0x00, 1, 0x61, 0x82, 0x1F, 0xFF]),
        ("a Huffman code padded by zeros", "H5.2", [0x00, 1, 0x61, 0x81, 0x18]),
        ("a size behind a field", "H4.2", table(0)), ("a size at the end", "H4.2", table(4096)),
    ]

    private static let invalidHeads: [FrameCase] = [
        FrameCase(
            "an entry that has left the table",
            "H4.4",
            F.head(table(40) + F.ok + entry + entry + [0xBF]) + F.data(),
            .connection(9)
        ),
        FrameCase("a table above the limit", "H6.3", F.head(table(4097) + F.ok) + F.data(), .connection(9)),
        FrameCase(
            "an invalid block of trailers",
            "H2.3.3",
            F.head() + F.data("ok", 0) + F.head([0xBE], F.end),
            .connection(9)
        ),
        FrameCase("an invalid block that never ends", "H2.3.3", F.frame(.headers, 0, [0xBE]), .connection(9)),
        FrameCase("bytes of no block", "H6", F.head([UInt8](repeating: 0xFF, count: 50)), .connection(9)),
    ]

    /// Statuses, and whether they are allowed (RFC 9110 §15).
    private static let statuses: [FrameCase] = [
        ("599", true), ("299", true), ("999", true), ("", false), ("20", false), ("2000", false), ("abc", false),
        ("+20", false),
        ("200 OK", false), ("2 0", false), ("099", false), (" 200", false), ("-20", false), ("0200", false),
    ].map { (status: String, isAllowed: Bool) in
        let head = F.head(F.block([(":status", status)]))
        return FrameCase(
            "the status \"\(status)\"",
            "8.3.2",
            head + F.data(),
            isAllowed ? .success : .stream(status == "099" ? 2 : 1)
        )
    }

    private static func long(_ count: Int) -> [UInt8] {
        F.block([("a", String(repeating: "b", count: count))])
    }

    /// A field of 3,900 bytes that enters the table, and then is used often.
    private static func bomb(_ count: Int) -> [UInt8] {
        [0x40] + F.string([0x61]) + F.string([UInt8](repeating: 0x62, count: 3_900))
            + [UInt8](repeating: 0xBE, count: count)
    }

    private static let short: [UInt8] = [[UInt8]](repeating: [0, 1, 0x61, 0], count: 3_000).flatMap { $0 }

    private static let limits: [FrameCase] = [
        FrameCase("a field of 15,000 bytes", "10.5.1", F.head(F.ok + long(15_000)) + F.data(), .success),
        FrameCase(
            "fields of 45,000 bytes",
            "10.5.1",
            F.frame(.headers, 0, F.ok + long(15_000)) + F.frame(.continuation, 0, long(15_000))
                + F.frame(.continuation, 4, long(15_000)) + F.data(),
            .success
        ),
        FrameCase("a field of 3,900 bytes 3 times by its index", "10.5.1", F.head(F.ok + bomb(2)) + F.data(), .success),
        FrameCase(
            "a field of 3,900 bytes 10,000 times by its index",
            "10.5.1",
            F.head(F.ok + bomb(10_000)) + F.data(),
            .stream(2, .responseTooLarge)
        ),
        FrameCase(
            "3,000 short fields",
            "10.5.1",
            F.head(F.ok + short) + F.data(),
            .stream(2, .responseTooLarge)
        ),
    ]
}
