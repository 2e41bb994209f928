// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension FrameCase {
    private typealias F = FrameBytes

    /// Fields, informational responses, trailers and lengths of the content.
    static let fields = names + values + connectionFields + pseudoFields + informational + trailers + lengths

    private static func bytes(_ name: [UInt8], _ value: [UInt8]) -> [UInt8] {
        F.head(F.ok + [0] + F.string(name) + F.string(value)) + F.data()
    }

    /// Names of fields, and whether they are allowed.
    private static let names: [FrameCase] = [
        ("of all other characters", "a!#$%&'*+-.^_`|~9", true), ("in upper case", "Upper", false),
        ("with one upper-case letter", "loweR", false), ("without a character", "", false),
        ("with a space", "a b", false), ("with a space before it", " a", false),
        ("with a space behind it", "a ", false),
        ("with a colon", "a:b", false), ("with NUL", "a\0b", false), ("with a line feed", "a\nb", false),
        ("with a carriage return", "a\rb", false), ("with DEL", "a\u{7F}b", false),
        ("with a letter beyond ASCII", "ä", false),
        ("with a slash", "a/b", false), ("with a quote", "a\"b", false),
    ].map { (name: String, field: String, isAllowed: Bool) in
        FrameCase("a name \(name)", "8.2.1", bytes(Array(field.utf8), [0x31]), isAllowed ? .success : .stream(1))
    }

    /// Values of fields, and whether they are allowed.
    private static let values: [FrameCase] = [
        ("without a character", "", true), ("with a space", "a b", true), ("with a tab", "a\tb", true),
        ("beyond ASCII", "ä", true), ("with NUL", "a\0b", false), ("with a line feed", "a\nb", false),
        ("with a carriage return", "a\rb", false), ("with two lines", "a\r\nb: c", false),
        ("with a space before it", " a", false), ("with a space behind it", "a ", false),
        ("with a tab before it", "\ta", false), ("with a tab behind it", "a\t", false),
    ].map { (name: String, value: String, isAllowed: Bool) in
        FrameCase("a value \(name)", "8.2.1", bytes([0x61], Array(value.utf8)), isAllowed ? .success : .stream(1))
    }

    private static let connectionFields: [FrameCase] = [
        ("connection", "close"), ("keep-alive", "timeout=5"), ("proxy-connection", "close"),
        ("transfer-encoding", "chunked"), ("upgrade", "h2c"),
    ].map { name, value in
        FrameCase("the field \(name)", "8.2.2", F.head([(name, value)]) + F.data(), .stream(1))
    }

    /// Heads whose pseudo-header fields are wrong.
    private static let pseudoFields: [FrameCase] = pseudoBlocks.map { name, block in
        // Swifty itself refuses fields before the status, and has nghttp2 reset the stream with INTERNAL_ERROR.
        let isFieldFirst = block.starts(with: F.block([("a", "b")]))
        return FrameCase("a head with \(name)", "8.3.2", F.head(block) + F.data(), .stream(isFieldFirst ? 2 : 1))
    }

    private static let pseudoBlocks: [(String, [UInt8])] = [
        ("no status", F.block([("a", "b")])), ("no field", []), ("two statuses", F.ok + F.ok),
        ("a status behind a field", F.block([("a", "b")]) + F.ok), ("a path", F.ok + F.block([(":path", "/")])),
        ("a method", F.ok + F.block([(":method", "GET")])),
        ("an unknown pseudo-header field", F.ok + F.block([(":a", "b")])),
        ("a pseudo-header field without a name", F.ok + F.block([(":", "b")])),
        ("an upper-case pseudo-header field", F.block([(":Status", "200")])),
    ]

    private static func status(_ code: String, _ flags: UInt8 = 0) -> [UInt8] {
        F.head(F.block([(":status", code)]), flags)
    }

    private static let informational: [FrameCase] = [
        FrameCase("100, then the response", "8.1", status("100") + F.answer, .success),
        FrameCase("103 several times", "8.1", status("103") + status("103") + status("103") + F.answer, .success),
        FrameCase("an unknown informational status", "8.1", status("199") + F.answer, .success),
        FrameCase("103 with the end", "8.1", status("103", F.end), .stream(1)),
        FrameCase("103, then DATA", "8.1", status("103") + F.data(), .stream(1)),
        FrameCase("103 behind the head", "8.1", F.head() + status("103") + F.data(), .stream(1)),
        FrameCase("101", "8.6", status("101") + F.answer, .stream(1)),
        FrameCase(
            "100 with a length",
            "8.1",
            F.head(F.block([(":status", "100"), ("content-length", "2")])) + F.answer,
            .stream(1)
        ),
    ]

    private static func trailer(_ fields: [(String, String)], _ flags: UInt8 = F.end) -> [UInt8] {
        F.head() + F.data("ok", 0) + F.head(F.block(fields), flags)
    }

    private static let trailers: [FrameCase] = [
        FrameCase("trailers", "8.1", trailer([("a", "b"), ("c", "d")]), .success),
        FrameCase("trailers without a field", "8.1", trailer([]), .success),
        FrameCase(
            "trailers without content",
            "8.1",
            F.head() + F.head(F.block([("a", "b")]), F.end),
            .success,
            text: ""
        ),
        FrameCase("trailers without the end", "8.1", trailer([("a", "b")], 0) + F.data(), .stream(1)),
        FrameCase("trailers with a status", "8.1", trailer([(":status", "200")]), .stream(1)),
        FrameCase("trailers with a path", "8.1", trailer([(":path", "/")]), .stream(1)),
        FrameCase("trailers in upper case", "8.2.1", trailer([("A", "b")]), .stream(1)),
        FrameCase("trailers of the connection", "8.2.2", trailer([("connection", "close")]), .stream(1)),
        FrameCase(
            "DATA behind the trailers",
            "5.1",
            trailer([("a", "b")]) + F.data(),
            .success,
            deviation: "nghttp2 ignores frames on streams that have ended"
        ),
    ]

    private static func length(_ lengths: String..., content: [String] = ["ok"]) -> [UInt8] {
        F.head(lengths.map { ("content-length", $0) }) + content.dropLast().flatMap { F.data($0, 0) }
            + F.data(content.last ?? "")
    }

    private static func without(_ code: String, _ fields: [(String, String)] = [], _ rest: [UInt8]) -> [UInt8] {
        F.head(F.block([(":status", code)] + fields), rest.isEmpty ? F.end : 0) + rest
    }

    private static let lengths: [FrameCase] = [
        FrameCase("the right length", "8.1.1", length("2", content: ["o", "", "k"]), .success),
        FrameCase("the length zero and the end", "8.1.1", F.head([("content-length", "0")], F.end), .success, text: ""),
        FrameCase("less content than the length", "8.1.1", length("9"), .stream(1)),
        FrameCase("more content than the length", "8.1.1", length("1"), .stream(1)),
        FrameCase("more content in a second frame", "8.1.1", length("2", content: ["ok", "k"]), .stream(1)),
        FrameCase("a length and no content", "8.1.1", F.head([("content-length", "5")], F.end), .stream(1)),
        FrameCase(
            "a length and only trailers",
            "8.1.1",
            F.head([("content-length", "5")]) + F.head(F.block([("a", "b")]), F.end),
            .stream(1)
        ),
        FrameCase("two different lengths", "8.1.1", length("2", "3"), .stream(1)),
        FrameCase("a negative length", "8.1.1", length("-2"), .stream(1)),
        FrameCase("a length with a sign", "8.1.1", length("+2"), .stream(1)),
        FrameCase("an empty length", "8.1.1", length(""), .stream(1)),
        FrameCase("a length with letters", "8.1.1", length("2a"), .stream(1)),
        FrameCase("a length of 2^64 + 2", "8.1.1", length("18446744073709551618"), .stream(1)),
        FrameCase("204 without content", "8.1.1", without("204", [], []), .success, text: ""),
        FrameCase(
            "304 with a length and without content",
            "8.1.1",
            without("304", [("content-length", "5")], []),
            .success,
            text: ""
        ),
        FrameCase("204 with an empty DATA", "8.1.1", without("204", [], F.data("")), .success, text: ""),
        FrameCase("204 with content", "8.1.1", without("204", [], F.data()), .stream(1)),
        FrameCase("304 with content", "8.1.1", without("304", [], F.data()), .stream(1)),
    ]
}
