// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTransport
import TestSupport
import Testing

@testable import SwiftyCurl

@Suite("Collecting a response's head", .timeLimit(.minutes(15)))
struct HeadCollectorTests {
    private func collect(_ lines: [String], limit: Int = 10_000) -> (HeadCollector, ResponseError?) {
        var collector = HeadCollector(rules: .with { $0.headLimit = limit })
        for line in lines {
            let error = Array((line + "\r\n").utf8).withUnsafeBufferPointer { collector.append($0) }
            if let error { return (collector, error) }
        }
        return (collector, nil)
    }

    @Test("a head is complete only after its empty line")
    func completeness() {
        #expect(collect([]).0.stage == .firstByte)
        #expect(collect(["HTTP/1.1 200 OK"]).0.stage == .head)
        #expect(!collect(["HTTP/1.1 200 OK", "A: b"]).0.isComplete)
        #expect(collect(["HTTP/1.1 200 OK", "A: b"]).0.head == nil)
        #expect(collect(["HTTP/1.1 200 OK", "A: b"]).0.partialHead?.headers.count == 1)
        #expect(collect(["HTTP/1.1 200 OK", "A: b", ""]).0.isComplete)
        #expect(!collect(["HTTP/1.1 103 Hints", "A: b", ""]).0.isComplete)
        #expect(!collect(["HTTP/1.1 103 Hints", "A: b", "", "HTTP/1.1 200 OK", "C: d"]).0.isComplete)
    }

    @Test("NUL and a bare CR are found at every position of lines of every length")
    func controlCharacters() {
        for length in 1...70 {
            let value = String(repeating: "v", count: length)
            let lines = ["HTTP/1.1 200 OK", "A: \(value)"]
            #expect(collect(lines).1 == nil)
            for position in 0..<length {
                for (byte, name) in [("\0", "NUL"), ("\r", "a bare CR")] {
                    let odd = value.prefix(position) + byte + value.dropFirst(position + 1)
                    #expect(
                        collect([lines[0], "A: \(odd)"]).1
                            == .malformed("a line of the response's head contains \(name)")
                    )
                }
            }
        }
    }

    @Test("status lines of every version are read")
    func statusLines() throws {
        let cases: [(String, ResponseHead.HTTPVersion, Int, String)] = [
            ("HTTP/1.0 200 OK", .http1_0, 200, "OK"), ("HTTP/1.1 404 Not Found", .http1_1, 404, "Not Found"),
            ("HTTP/2 204 ", .http2, 204, ""), ("HTTP/3 500", .http3, 500, ""), ("HTTP/1.1 999 X", .http1_1, 999, "X"),
        ]
        for (line, version, code, reason) in cases {
            let head = try #require(collect([line, ""]).0.head)
            #expect(head.httpVersion == version)
            #expect(head.statusCode == code)
            #expect(head.reasonPhrase == reason)
        }
    }

    @Test(
        "other first lines than status lines are malformed",
        arguments: ["", "HTTP/1.1", "HTTP/1.1 ", "HTTP/1.1 20", "HTTP/1.1 2000", "HTTP/1.1 099", "HTTP/9 200", "X: y"]
    )
    func noStatusLine(_ line: String) {
        guard case .malformed = collect([line]).1 else {
            Issue.record("\(line) was accepted")
            return
        }
    }

    @Test("all bytes count towards the limit, including earlier heads and trailers")
    func limit() {
        let hints = Array(repeating: ["HTTP/1.1 103 Hints", ""], count: 10).flatMap { $0 }
        #expect(collect(hints, limit: 220).1 == nil)
        guard case .tooLarge = collect(hints, limit: 200).1 else {
            Issue.record("the limit was not kept")
            return
        }
        guard case .tooLarge = collect(["HTTP/1.1 200 OK", "", "Trailer: 1", "Trailer: 2"], limit: 40).1 else {
            Issue.record("trailers were not counted")
            return
        }
    }

    @Test("trailers are not part of the head")
    func trailers() {
        let (collector, error) = collect(["HTTP/1.1 200 OK", "A: b", "", "T: u"])
        #expect(error == nil)
        #expect(collector.head?.headers.count == 1)
    }

    @Test("two equal lengths are one length; the length of an earlier head does not count")
    func lengths() {
        let twice = collect(["HTTP/1.1 200 OK", "Content-Length: 3", "content-length:3", ""])
        #expect(twice.1 == nil)
        #expect(twice.0.contentLength == 3)
        let earlier = collect(["HTTP/1.1 103 X", "Content-Length: 3", "", "HTTP/1.1 200 OK", ""])
        #expect(earlier.0.contentLength == nil)
    }

    @Test("random lines never trap, and never make a head whose framing is ambiguous")
    func randomLines() {
        let words = [
            "HTTP/1.1 200 OK", "HTTP/1.1 103 X", "HTTP/1.0 200 OK", "HTTP/2 200", "Content-Length: 3",
            "content-length: 3, 3",
            "Transfer-Encoding: chunked", "Transfer-Encoding: identity", "", " ", "\t x", ":", "A:", "A : b", "\r",
            "a\rb: c", "\0",
        ].map { Array($0.utf8) }
        var random = SplitMix(seed: 1)
        for round in 0..<20_000 {
            let strictness: TransportSettings.Responses.Strictness = round.isMultiple(of: 2) ? .strict : .lenient
            var collector = HeadCollector(rules: .with { $0.strictness = strictness })
            var error: ResponseError?
            for _ in 0..<12 {
                var line = words.randomElement(using: &random) ?? []
                if Int.random(in: 0..<4, using: &random) == 0 { line.append(UInt8.random(in: 0...255, using: &random)) }
                if !line.isEmpty, Int.random(in: 0..<8, using: &random) == 0 {
                    line[Int.random(in: 0..<line.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
                }
                if Int.random(in: 0..<16, using: &random) != 0 { line += [0x0D, 0x0A] }
                error = line.withUnsafeBufferPointer { collector.append($0) }
                if error != nil { break }
                _ = collector.partialHead
            }
            guard error == nil, collector.isComplete else { continue }
            #expect(!collector.isChunked || collector.contentLength == nil)
            #expect(strictness == .lenient || !collector.isAmbiguous)
        }
    }
}
