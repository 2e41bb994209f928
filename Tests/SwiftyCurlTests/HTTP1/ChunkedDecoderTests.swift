// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTransport
import TestSupport
import Testing

@testable import SwiftyCurl

@Suite("Decoding chunks", .timeLimit(.minutes(15)))
struct ChunkedDecoderTests {
    /// The result of decoding a message.
    private struct Result: Equatable {
        var content: [UInt8] = []
        var trailers: [[UInt8]] = []
        var isComplete = false
        var isAmbiguous = false
        var error: ResponseError?
        /// The number of bytes behind the end.
        var excess = 0

        var text: String { String(decoding: content, as: UTF8.self) }
    }

    private func decode(_ message: [UInt8], in step: Int, rules: TransportSettings.Responses = .strict) -> Result {
        var decoder = ChunkedDecoder(rules: rules)
        var result = Result()
        for start in stride(from: 0, to: message.count, by: step) where result.error == nil {
            Array(message[start..<min(start + step, message.count)]).withUnsafeBytes { bytes in
                var rest = bytes
                do throws(ResponseError) {
                    while let event = try decoder.next(in: &rest) {
                        switch event {
                        case .content(let content): result.content += content
                        case .trailer(let line): result.trailers.append(line)
                        case .end: #expect(decoder.isComplete)
                        }
                    }
                } catch {
                    result.error = error
                }
                result.excess += result.error == nil ? rest.count : 0
            }
        }
        result.isComplete = decoder.isComplete
        result.isAmbiguous = decoder.isAmbiguous
        return result
    }

    /// Decodes the message as a whole and in pieces of every small length, which must give equal results.
    private func decode(_ message: String, rules: TransportSettings.Responses = .strict) -> Result {
        let bytes = Array(message.utf8)
        let whole = decode(bytes, in: max(bytes.count, 1), rules: rules)
        for step in 1...7 {
            #expect(decode(bytes, in: step, rules: rules) == whole, "\(message.debugDescription) in \(step)")
        }
        return whole
    }

    static let wellFormed: [(message: String, content: String)] = [
        ("0\r\n\r\n", ""), ("3\r\nabc\r\n0\r\n\r\n", "abc"), ("3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n", "abcde"),
        ("A\r\n0123456789\r\n0\r\n\r\n", "0123456789"), ("a\r\n0123456789\r\n00\r\n\r\n", "0123456789"),
        ("0000000000000003\r\nabc\r\n0000000000000000\r\n\r\n", "abc"),
        ("5\r\n\r\n0\r\n\r\n0\r\n\r\n", "\r\n0\r\n"),
        ("3;a\r\nabc\r\n0\r\n\r\n", "abc"), ("3;a=b\r\nabc\r\n0;c\r\n\r\n", "abc"),
        ("3 ; a = b ; c=\"d\"\r\nabc\r\n0\r\n\r\n", "abc"), ("3\t;\ta\t=\tb\r\nabc\r\n0\r\n\r\n", "abc"),
        ("3;a=\"\"\r\nabc\r\n0\r\n\r\n", "abc"), ("3;a=\"b;c=d \\\" \\\\ \u{e9}\t\";e\r\nabc\r\n0\r\n\r\n", "abc"),
        ("0\r\nA: b\r\n\r\n", ""), ("0\r\nA: b\nC: d\r\n e\r\n\n", ""),
    ]

    @Test("valid messages are accepted, as a whole and in pieces", arguments: wellFormed)
    func grammar(_ message: String, _ content: String) {
        let result = decode(message)
        #expect(result.error == nil)
        #expect(result.text == content)
        #expect(result.isComplete)
        #expect(!result.isAmbiguous)
        #expect(result.excess == 0)
        #expect(decode(message + "HTTP/1.1").excess == 8)
    }

    @Test("a message truncated anywhere is never complete, and not an error", arguments: wellFormed)
    func cuts(_ message: String, _ content: String) {
        let bytes = Array(message.utf8)
        for end in bytes.indices {
            let result = decode(Array(bytes[..<end]), in: max(end, 1))
            #expect(!result.isComplete)
            #expect(result.error == nil)
            #expect(content.hasPrefix(result.text) || result.content.count < content.utf8.count)
        }
    }

    /// No interpretation of these is safe.
    static let hopeless = [
        "\r\n", "\n", ";a\r\n", " 3\r\nabc\r\n", "\t3\r\n", "x", "g\r\n", "-1\r\n", "+3\r\n", "0x3\r\nabc\r\n",
        "0xa\r\n", "5zz\r\n",
        "5 5\r\n", "5\t5\r\n", "5.0\r\n", "5,5\r\n", "5\0\r\n", "5;a\0b\r\n", "5;a=\"\0\"\r\n", "5;a=\"\\\0\"\r\n",
        "5;a\u{7f}\r\n",
        "5\rabcde\r\n", "5\r\rabcde", "3;a\rb\r\n", "3;a=\"b\rc\"\r\n", "3\r \n",
        "10000000000000000\r\n", "00000000000000003\r\nabc\r\n", "8000000000000000\r\n", "ffffffffffffffff\r\n",
        "FFFFFFFFFFFFFFFFF\r\n",
        "3\r\nabcd\r\n", "3\r\nabc0\r\n\r\n", "3\r\nabc \r\n", "3\r\nabc\rx", "3\r\nabc\r\r\n", "3\r\nabc\r\n\r\n",
    ]

    @Test(
        "an invalid size, and content that does not match its size, are malformed by all rules",
        arguments: hopeless
    )
    func malformed(_ message: String) {
        for rules in [TransportSettings.Responses.strict, .lenient] {
            guard case .malformed = decode(message, rules: rules).error else {
                Issue.record("\(message.debugDescription) was taken")
                continue
            }
        }
    }

    /// Accepted by lenient rules, with this content.
    static let odd = [
        ("3 \r\nabc\r\n0\r\n\r\n", "abc"), ("3\t \r\nabc\r\n0 \r\n\r\n", "abc"), ("3\nabc\r\n0\r\n\r\n", "abc"),
        ("3\r\nabc\n0\r\n\r\n", "abc"),
        ("3\r\nabc\r\n0\n\r\n", "abc"), ("3;\r\nabc\r\n0\r\n\r\n", "abc"), ("3;;a\r\nabc\r\n0\r\n\r\n", "abc"),
        ("3;a=\r\nabc\r\n0\r\n\r\n", "abc"), ("3;=b\r\nabc\r\n0\r\n\r\n", "abc"),
        ("3;a=\"b\r\nabc\r\n0\r\n\r\n", "abc"),
        ("3;a b\r\nabc\r\n0\r\n\r\n", "abc"), ("3;(a)\r\nabc\r\n0\r\n\r\n", "abc"), ("3;a \r\nabc\r\n0\r\n\r\n", "abc"),
        ("3;a=\"b\"c\r\nabc\r\n0\r\n\r\n", "abc"), ("3;a=b=c\r\nabc\r\n0\r\n\r\n", "abc"),
    ]

    @Test(
        "what another reader could understand differently is malformed, or ambiguous by lenient rules",
        arguments: odd
    )
    func leniently(_ message: String, _ content: String) {
        guard case .malformed = decode(message).error else {
            Issue.record("\(message.debugDescription) was taken")
            return
        }
        let result = decode(message, rules: .lenient)
        #expect(result.error == nil)
        #expect(result.text == content)
        #expect(result.isComplete)
        #expect(result.isAmbiguous)
    }

    @Test("lines of the trailers are passed on unchanged")
    func trailers() {
        let result = decode("0\r\nA: b\r\n folded\r\nC: d\n\r\n")
        #expect(result.trailers.map { String(decoding: $0, as: UTF8.self) } == ["A: b\r\n", " folded\r\n", "C: d\n"])
    }

    @Test("a line of the trailers, an extension and the framing of empty chunks are limited")
    func limits() {
        let rules = TransportSettings.Responses.with {
            $0.headLimit = 1_000
            $0.trailerLimit = 100
        }
        let long = String(repeating: "a", count: 2_000)
        for message in ["0\r\nA: \(long)", "3;\(long)", "3;a=\"\(long)"] {
            guard case .tooLarge = decode(message, rules: rules).error else {
                Issue.record("\(message.prefix(8).debugDescription) was not limited")
                continue
            }
        }
        let small = String(repeating: "1\r\na\r\n", count: 10_000)
        #expect(decode(small + "0\r\n\r\n", rules: rules).text.count == 10_000)
    }

    @Test("random bytes never trap, and pieces change nothing")
    func random() {
        let words = [
            "3", "0", "a", "\r\n", "\r", "\n", ";", "=", "\"", "\\", " ", "A: b", "abc", "\0", "\u{e9}", "fff",
            "3\r\nabc\r\n", "0\r\n",
        ]
        var random = SplitMix(seed: 3)
        for _ in 0..<20_000 {
            let parts = (0..<Int.random(in: 1...12, using: &random)).compactMap { _ in
                words.randomElement(using: &random)
            }
            let bytes = Array(parts.joined().utf8)
            let rules = Bool.random(using: &random) ? TransportSettings.Responses.strict : .lenient
            let whole = decode(bytes, in: bytes.count, rules: rules)
            #expect(decode(bytes, in: 1, rules: rules) == whole)
            #expect(whole.excess == 0 || whole.isComplete)
        }
    }
}

extension TransportSettings.Responses {
    fileprivate static let strict = TransportSettings.Responses()
    fileprivate static let lenient = TransportSettings.Responses.with { $0.strictness = .lenient }
}
