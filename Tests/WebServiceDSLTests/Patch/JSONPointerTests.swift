// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import WebServiceDSL

@Suite("A JSON Pointer", .timeLimit(.minutes(15)))
struct JSONPointerTests {
    /// The document of RFC 6901 §5.
    private static let document = #"""
        {"foo": ["bar", "baz"], "": 0, "a/b": 1, "c%d": 2, "e^f": 3, "g|h": 4, "i\\j": 5, "k\"l": 6, " ": 7, "m~n": 8}
        """#

    @Test(
        "leads to the values of RFC 6901 §5, and is the text of its tokens",
        arguments: [
            ("", [], document),
            ("/foo", ["foo"], #"["bar", "baz"]"#),
            ("/foo/0", ["foo", "0"], #""bar""#),
            ("/", [""], "0"),
            ("/a~1b", ["a/b"], "1"),
            ("/c%d", ["c%d"], "2"),
            ("/e^f", ["e^f"], "3"),
            ("/g|h", ["g|h"], "4"),
            (#"/i\j"#, [#"i\j"#], "5"),
            (#"/k"l"#, [#"k"l"#], "6"),
            ("/ ", [" "], "7"),
            ("/m~0n", ["m~n"], "8"),
        ]
    )
    func reference(_ text: String, _ tokens: [String], _ value: String) throws {
        let pointer = try JSONPointer(parsing: text)
        #expect(pointer.tokens == tokens)
        #expect(pointer == JSONPointer(tokens) && pointer == JSONPointer(stringLiteral: text))
        #expect(JSONPointer(tokens).description == text)
        #expect(try JSONTree(Self.document).value(at: pointer.tokens[...]) == JSONTree(value))
    }

    @Test(
        "decodes ~1 before ~0, keeps empty tokens and -, and parses by bytes",
        arguments: [
            ("/~01", ["~1"]), ("/~10", ["/0"]), ("/~0~1~1~0", ["~//~"]), ("//", ["", ""]),
            ("/a//b/", ["a", "", "b", ""]),
            ("/tags/-", ["tags", "-"]), ("/\u{301}a/~1\u{301}", ["\u{301}a", "/\u{301}"]),
            ("/\u{1F600}", ["\u{1F600}"]), ("/\r\n/\0", ["\r\n", "\0"]), ("/#", ["#"]),
        ]
    )
    func tokens(_ text: String, _ tokens: [String]) throws {
        #expect(try JSONPointer(parsing: text).tokens == tokens)
        #expect(JSONPointer(tokens).description == text)
    }

    @Test("is refused without a slash at its beginning", arguments: ["a", "a/b", "#/a", " /a", "~1a", "-", "\u{301}/"])
    func refusesRelative(_ text: String) {
        let error = #expect(throws: JSONPointer.ValidationError.self) { try JSONPointer(parsing: text) }
        #expect(error?.reason == "it is not empty and does not begin with /")
    }

    @Test("is refused with an incomplete ~", arguments: ["/~", "/a~", "/~2", "/~/0", "/a/~~0", "/~\u{301}0"])
    func refusesTilde(_ text: String) {
        let error = #expect(throws: JSONPointer.ValidationError.self) { try JSONPointer(parsing: text) }
        #expect(error?.reason == "it has a ~ that is followed neither by 0 nor by 1")
    }

    @Test("grows by tokens that are data, and by indices")
    func appending() {
        let pointer: JSONPointer = "/a~1b"
        #expect(pointer.appending("c/~d").appending(0).appending("-").description == "/a~1b/c~1~0d/0/-")
        #expect(JSONPointer.root.appending("").description == "/")
        #expect(JSONPointer.root.description.isEmpty)
    }

    @Test("of random tokens comes back from its text")
    func roundTrip() throws {
        let alphabet = ["~", "/", "0", "1", "a", "\u{301}", "é", "-", "\u{10FFFF}", "\0"]
        for _ in 0..<500 {
            let tokens = (0..<Int.random(in: 0...4)).map { _ in
                (0..<Int.random(in: 0...5)).compactMap { _ in alphabet.randomElement() }.joined()
            }
            #expect(try JSONPointer(parsing: JSONPointer(tokens).description).tokens == tokens)
        }
    }

    @Test("is a string in JSON; an invalid string is not decoded")
    func coding() throws {
        let pointers: [JSONPointer] = ["", "/a~1b/0"]
        let tree = try JSONTree(encoding: pointers)
        #expect(tree == .array([.string(""), .string("/a~1b/0")]))
        #expect(try JSONDecoder().decode([JSONPointer].self, from: Data(#"["", "/a~1b/0"]"#.utf8)) == pointers)
        for text in [#"["a"]"#, #"["/~"]"#, "[1]"] {
            #expect(throws: DecodingError.self) {
                try JSONDecoder().decode([JSONPointer].self, from: Data(text.utf8))
            }
        }
    }

    @Test("of an invalid literal is kept as written, and is an error when it is encoded")
    func invalidLiteral() throws {
        let pointer: JSONPointer = "title"
        #expect(pointer.description == "title" && pointer.tokens.isEmpty && pointer != .root)
        #expect(pointer.appending("a") == pointer)
        let error = #expect(throws: EncodingError.self) { try JSONEncoder().encode(["k": pointer]) }
        guard case .invalidValue(let value, let context) = try #require(error) else { return }
        #expect(value as? JSONPointer == pointer)
        #expect(context.codingPath.map(\.stringValue) == ["k"])
        #expect(context.underlyingError is JSONPointer.ValidationError)
    }

    @Test("with 100,000 tokens is parsed and written in one pass")
    func long() throws {
        let text = String(repeating: "/~01", count: 100_000)
        let pointer = try JSONPointer(parsing: text)
        #expect(pointer.tokens.count == 100_000)
        #expect(pointer.description == text)
    }
}
