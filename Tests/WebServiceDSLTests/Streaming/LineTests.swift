// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import WebServiceDSL

@Suite("Lines of a content", .timeLimit(.minutes(15)))
struct LineTests {
    struct Example: Sendable, CustomTestStringConvertible {
        let content: String
        let lines: [String]
        var testDescription: String { content.debugDescription }
    }

    static let examples = [
        Example(content: "", lines: []),
        Example(content: "a", lines: ["a"]),
        Example(content: "a\n", lines: ["a"]),
        Example(content: "\n", lines: [""]),
        Example(content: "\n\n", lines: ["", ""]),
        Example(content: "a\nb", lines: ["a", "b"]),
        Example(content: "a\r\nb\r\n", lines: ["a", "b"]),
        Example(content: "\r\n\r\n", lines: ["", ""]),
        Example(content: "a\rb\nc", lines: ["a\rb", "c"]),
        Example(content: "a\r\r\nb", lines: ["a\r", "b"]),
        Example(content: "a\n\r", lines: ["a", "\r"]),
        Example(content: "a\r", lines: ["a\r"]),
        Example(content: "ä\u{2028}b\u{85}c\n\u{1F600}", lines: ["ä\u{2028}b\u{85}c", "\u{1F600}"]),
        Example(
            content: "one line that is not a small string\nanother one of some length",
            lines: [
                "one line that is not a small string", "another one of some length",
            ]
        ),
    ]

    @Test("end with LF or CRLF, however the content is divided", arguments: examples)
    func divided(example: Example) async throws {
        for parts in divisions(of: Data(example.content.utf8)) {
            #expect(try await ResponseStream(parts: parts).lines().collect() == example.lines)
            let bytes = try await ResponseStream(parts: parts).byteLines().collect()
            #expect(bytes.map { Data($0) } == example.lines.map { Data($0.utf8) })
        }
    }

    @Test("end with an error at bytes that are no text, behind the lines before them")
    func malformed() async throws {
        let bytes = Data("a\n".utf8) + [0xFF, 0x0A] + Data("b\n".utf8)
        for size in 1...bytes.count {
            let parts = stride(from: 0, to: bytes.count, by: size).map { bytes[$0..<min($0 + size, bytes.count)] }
            var lines: [String] = []
            let error = await #expect(throws: SwiftyError.self) {
                for try await line in ResponseStream(parts: parts.map { Data($0) }).lines() { lines.append(line) }
            }
            #expect(error?.code == .decodingFailed)
            #expect(lines == ["a"])
        }
    }

    @Test("are text in the charset of the content, however it is divided")
    func charsets() async throws {
        let samples: [(String, [UInt8], [String])] = [
            ("text/plain; charset=iso-8859-1", [0xE9, 0x0A, 0x61, 0x0D, 0x0A, 0xFC], ["é", "a", "ü"]),
            ("text/plain; charset=utf-16", [0xFF, 0xFE, 0x61, 0, 0x0A, 0, 0x0A, 0x01, 0x62, 0], ["a", "\u{10A}b"]),
            ("text/plain; charset=utf-16be", [0, 0x61, 0, 0x0A], ["a"]),
            ("text/plain; charset=utf-16be", [0, 0x0A], [""]),
            ("text/plain; charset=shift_jis", [0x93, 0xFA, 0x0A, 0x96, 0x7B], ["日", "本"]),
            ("text/plain; charset=utf-8", [0xEF, 0xBB, 0xBF, 0x61, 0x0A], ["a"]),
        ]
        for (type, bytes, expected) in samples {
            for size in [1, 2, 3, 100] where size > 2 || !type.contains("utf-8") {
                let parts = stride(from: 0, to: bytes.count, by: size).map {
                    Data(bytes[$0..<min($0 + size, bytes.count)])
                }
                let stream = ResponseStream(parts: parts, headers: [.contentType: type])
                #expect(try await stream.lines().collect() == expected, "\(type), \(size)")
            }
        }
    }

    @Test("of random bytes are those of a plain division")
    func random() async throws {
        var generator = SplitMix(seed: 15)
        for _ in 0..<300 {
            let bytes = randomBytes(of: [0x61, 0x62, 0x0A, 0x0D], upTo: 24, &generator)
            for parts in divisions(of: bytes) {
                let lines = try await ResponseStream(parts: parts).byteLines().collect().map { Array($0) }
                #expect(lines == Self.plainLines(of: bytes))
            }
        }
    }

    private static func plainLines(of bytes: Data) -> [[UInt8]] {
        var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map { Array($0) }
        let last = lines.popLast() ?? []
        lines = lines.map { $0.last == 0x0D ? $0.dropLast() : $0 }
        return last.isEmpty ? lines : lines + [last]
    }

    @Test("may have as many bytes as the limit, without their end", arguments: ["\n", "\r\n", ""])
    func limit(end: String) async throws {
        let content = "12345\(end)"
        for parts in divisions(of: Data(content.utf8)) {
            #expect(try await ResponseStream(parts: parts).lines(limit: 5).collect() == ["12345"])
            let error = await #expect(throws: SwiftyError.self) {
                try await ResponseStream(parts: parts).lines(limit: 4).collect()
            }
            #expect(error?.code == .elementTooLarge)
            #expect(error?.statusCode == 200)
        }
    }

    @Test("without an end are not read beyond the limit")
    func endless() async throws {
        let content = PartedContent(Array(repeating: Data(repeating: 0x61, count: 1_000), count: 1_000))
        let stream = ResponseStream(head: ResponseHead(statusCode: 200), content: content)
        var lines = stream.lines(limit: 10_000).makeAsyncIterator()
        let error = await #expect(throws: SwiftyError.self) { try await lines.next() }
        #expect(error?.code == .elementTooLarge)
        #expect(content.readCount == 11)
        #expect(content.isCancelled)
        #expect(try await lines.next() == nil)
    }

    @Test("before a failure are delivered, and the failure is thrown once")
    func failure() async throws {
        let content = PartedContent([Data("a\nb\nc".utf8)], error: SwiftyError(.connectionLost, stage: .content))
        let stream = ResponseStream(head: ResponseHead(statusCode: 200), content: content)
        var lines = stream.lines().makeAsyncIterator()
        #expect(try await lines.next() == "a")
        #expect(try await lines.next() == "b")
        let error = await #expect(throws: SwiftyError.self) { try await lines.next() }
        #expect(error?.code == .connectionLost)
        #expect(try await lines.next() == nil)
    }
}
