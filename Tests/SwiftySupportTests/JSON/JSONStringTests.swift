// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftySupport
import Testing

@Suite("A JSON string", .timeLimit(.minutes(15)))
struct JSONStringTests {
    private func decode(_ literal: String) -> String? {
        JSONString.decode(Array(literal.utf8)[...]).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test("is decoded with its escapes")
    func decoding() {
        #expect(decode(#""""#) == "")
        #expect(decode(#""a\"\\\/\b\f\n\r\t\u00e9é""#) == "a\"\\/\u{8}\u{C}\n\r\té\u{E9}")
        #expect(decode(#""\ud83d\uDE00""#) == "😀")
    }

    @Test(
        "is refused if it is not valid",
        arguments: [
            "", "\"", "a", #""a"#, #"a""#, #""\""#, #""\x""#, #""\u12""#, #""\u12g4""#, #""a"b""#, "\"\u{1}\"",
            "\"\n\"",
            #""\ud800""#, #""\ud800\n""#, #""\ud800\u0041""#, #""\udc00""#,
        ]
    )
    func mistakes(literal: String) {
        #expect(decode(literal) == nil, "\(literal)")
    }

    @Test("is refused if it is not UTF-8")
    func encoding() {
        #expect(JSONString.decode([.quote, 0xFF, .quote]) == nil)
    }

    @Test("is encoded so that others decode it", arguments: ["", "a\"\\/\u{8}\u{0}\n\r\té😀\u{2028}", "\u{7F}"])
    func roundTrip(text: String) throws {
        for isEscaped in [false, true] {
            let literal = JSONString.encode(text) { _ in isEscaped }
            #expect(JSONString.decode(literal[...]) == Array(text.utf8))
            #expect(try JSONDecoder().decode(String.self, from: Data(literal)) == text)
        }
    }
}
