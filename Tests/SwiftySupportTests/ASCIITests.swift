// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport
import Testing

@Suite("A byte", .timeLimit(.minutes(15)))
struct ASCIITests {
    private let letters = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)
    private let digits = Set("0123456789".utf8)

    @Test("belongs to the classes that RFC 5234 and RFC 9110 define")
    func classes() {
        let token = letters.union(digits).union("!#$%&'*+-.^_`|~".utf8)
        for byte in UInt8.min...UInt8.max {
            #expect(byte.isASCIIDigit == digits.contains(byte), "\(byte)")
            #expect(byte.isASCIILetter == letters.contains(byte), "\(byte)")
            #expect(byte.isASCIILetterOrDigit == letters.union(digits).contains(byte), "\(byte)")
            #expect(byte.isTokenByte == token.contains(byte), "\(byte)")
            #expect(byte.isSpaceOrTab == Set(" \t".utf8).contains(byte), "\(byte)")
            #expect(byte.isSpaceTabOrLineEnd == Set([0x20, 0x09, 0x0D, 0x0A]).contains(byte), "\(byte)")
            #expect(byte.isASCIIControl == (byte < 0x20 || byte == 0x7F), "\(byte)")
            #expect(byte.isFieldByte == (byte == 0x09 || !byte.isASCIIControl), "\(byte)")
        }
    }

    @Test("has the value of its hexadecimal digit, in either case")
    func hexadecimal() {
        for byte in UInt8.min...UInt8.max {
            let digit = byte < 0x80 ? Character(Unicode.Scalar(byte)).hexDigitValue : nil
            #expect(byte.hexadecimalValue.map(Int.init) == digit, "\(byte)")
            #expect(byte.isASCIIHexDigit == (digit != nil), "\(byte)")
        }
    }

    @Test("sequence is a token or a decimal number only if it is not empty and every byte fits")
    func collections() {
        #expect("X-a".utf8.isToken)
        #expect(!"".utf8.isToken)
        #expect(!"a b".utf8.isToken)
        #expect("007".utf8.isDecimal)
        #expect(!"".utf8.isDecimal)
        #expect(!"+7".utf8.isDecimal)
        #expect(!"\u{0663}".utf8.isDecimal)
    }
}

@Suite("Trimming", .timeLimit(.minutes(15)))
struct TrimmingTests {
    @Test(
        "removes white space at both ends and nowhere else",
        arguments: [
            ("", ""), (" ", ""), ("\t \t", ""), ("a", "a"), (" a b\t", "a b"), ("\u{A0}a ", "\u{A0}a"),
            ("\ra\n", "\ra\n"),
        ]
    )
    func spacesAndTabs(text: String, trimmed: String) {
        #expect(text.trimmingSpacesAndTabs() == trimmed)
        #expect(text.dropFirst(0).trimmingSpacesAndTabs() == trimmed)
        #expect(Array(Array(text.utf8).trimmingSpacesAndTabs()) == Array(trimmed.utf8))
    }

    @Test("removes the end of a line if asked to")
    func lineEnds() {
        #expect(Array("\r\n a b\t\r\n".utf8).trimmingSpacesTabsAndLineEnds() == Array("a b".utf8)[...])
        #expect(Array("\r\n".utf8).trimmingSpacesTabsAndLineEnds().isEmpty)
    }
}
