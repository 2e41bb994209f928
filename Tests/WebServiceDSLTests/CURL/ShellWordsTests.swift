// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftySupport
import TestSupport
import Testing

@testable import WebServiceDSL

@Suite("The words of a shell command", .timeLimit(.minutes(15)))
struct ShellWordsTests {
    @Test(
        "have the bytes that a shell gives to a program",
        arguments: [
            ("$'\\u00fc\\x41\\101\\'\\n\\?'", ["ü", "A", "A", "'", "\n", "?"].joined()),
            ("$'\\ud83d\\ude00'", "😀"), ("$'\\U0001f600'", "😀"), ("$'\\xc3\\xa9'", "é"), ("$'\\z\\xg'", "\\z\\xg"),
            ("'\u{301}e'", "\u{301}e"), ("\"\u{301}\\\"\"", "\u{301}\""), ("a\\\r\nb", "ab"), ("\"a\\\nb\"", "ab"),
            ("'a\r\nb'", "a\r\nb"), ("''", ""),
        ]
    )
    func bytes(text: String, word: String) throws {
        #expect(try ShellWords(text).words.map { Array($0.utf8) } == [Array(word.utf8)])
    }

    @Test("keep bytes that are not UTF-8")
    func undecoded() throws {
        let words = try ShellWords("$'\\xff\\x00a'$'\\xc3' b").words
        #expect(words.map(UndecodedBytes.areIn) == [true, false])
        #expect(words.map { UndecodedBytes.data(of: $0) } == [Data([0xFF, 0, 0x61, 0xC3]), Data([0x62])])
        #expect(throws: CURLError.self) { try ShellWords("\u{10FFFF}") }
    }

    @Test("are those that were quoted")
    func quoted() throws {
        var random = SplitMix(seed: 7)
        let scalars: [Unicode.Scalar] = ["'", "\"", "\\", "$", "`", " ", "\n", "a", "\u{301}", "ü", "\0"]
        for _ in 0..<2_000 {
            let count = Int.random(in: 0..<8, using: &random)
            var word = String.UnicodeScalarView()
            for _ in 0..<count { word.append(scalars.randomElement(using: &random) ?? "a") }
            let words = try ShellWords("x \(ShellWord.quoted(String(word))) y").words
            #expect(words.map { Array($0.utf8) } == ["x", String(word), "y"].map { Array($0.utf8) })
        }
    }
}
