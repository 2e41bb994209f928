// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyTransport
import Testing

@testable import WebServiceDSL

@Suite("Parts of a content", .timeLimit(.minutes(15)))
struct ByteRangesTests {
    private let type = "multipart/byteranges; boundary=\"a b\""
    private let end = "\r\n--a b--"

    private func part(_ range: String, _ content: String) -> String {
        "\r\n--a b\r\nContent-Type: text/plain\r\nContent-Range: \(range)\r\n\r\n\(content)"
    }

    private func head(_ status: Int = 206, type: String?, range: String? = nil) -> ResponseHead {
        var headers: HTTPFields = [:]
        headers[.contentType] = type
        headers[.contentRange] = range
        return ResponseHead(statusCode: status, headers: headers)
    }

    private func parts(_ text: String, _ asked: [Range<Int>]) throws -> [BytePart] {
        try BytePart.parts(of: head(type: type), Data(text.utf8), within: asked)
    }

    @Test("come from one response")
    func several() throws {
        let text =
            "preamble" + part("bytes 0-3/100", "abcd") + part("bytes 10-10/*", "e") + part("bytes 5-9/100", "--a b")
            + end + "\r\nepilogue"
        let found = try parts(text, [0..<4, 10..<11, 5..<10])
        #expect(found.map(\.range) == [0..<4, 10..<11, 5..<10])
        #expect(found.map { String(decoding: $0.data, as: UTF8.self) } == ["abcd", "e", "--a b"])
        #expect(found.map(\.total) == [100, nil, 100])
        #expect(found.map(\.contentType) == ["text/plain", "text/plain", "text/plain"])
    }

    @Test("come from a response that arrives byte by byte, with delimiters in their content")
    func byteByByte() throws {
        let content = "x\r\n--a b\r\n--a b--\r\n"
        let text = String(part("bytes 0-\(content.utf8.count - 1)/100", content).dropFirst()) + end
        var parser = ByteRangesParser(boundary: "a b", allowed: [0..<100])
        for byte in text.utf8 { try parser.consume(Data([byte])) }
        let found = try parser.finish()
        #expect(found.map(\.data) == [Data(content.utf8)])
    }

    @Test("need not be asked for one by one")
    func joined() throws {
        let found = try parts(part("bytes 0-9/100", "0123456789") + end, [5..<10, 0..<5])
        #expect(found.map(\.range) == [0..<10])
    }

    @Test("that were not asked for are refused", arguments: ["bytes 3-6/100", "bytes 20-23/100", "bytes 1-4/100"])
    func unasked(range: String) {
        #expect(throws: RangeFailure.mismatch("the bytes \(ContentRange(range)?.bytes ?? 0..<0) were not asked for")) {
            try parts(part(range, "abcd") + end, [0..<4])
        }
    }

    @Test("that are malformed are refused")
    func malformed() {
        let good = part("bytes 0-3/100", "abcd")
        let long = String(repeating: "x", count: 20_000)
        let texts = [
            good, "", good + "x" + end, part("bytes 0-3/100", "abc") + end, part("bytes 0-3", "abcd") + end,
            part("bytes */100", "abcd") + end, "\r\n--a b\r\n\r\nabcd" + end, good + "\r\n--a bc\r\n" + end,
            long + good + end, "\r\n--a b\r\nX: \(long)", "\r\n--a b" + String(repeating: " ", count: 20_000),
            String(repeating: good, count: 101) + end,
        ]
        for text in texts {
            do {
                _ = try parts(text, [0..<4])
                Issue.record("\(text.prefix(200))")
            } catch {
                #expect((error as? RangeFailure)?.code == .malformedResponse, "\(text.prefix(200))")
            }
        }
    }

    @Test("cut at every byte are never taken for complete ones")
    func cut() throws {
        let text = part("bytes 0-3/100", "abcd") + part("bytes 5-9/100", "fghij") + end
        for count in 0..<text.utf8.count {
            let beginning = String(decoding: Array(text.utf8.prefix(count)), as: UTF8.self)
            #expect(throws: RangeFailure.self) { try parts(beginning, [0..<10]) }
        }
        #expect(try parts(text, [0..<10]).count == 2)
    }

    @Test("may be one, or the whole content")
    func single() throws {
        let one = head(type: "text/plain", range: "bytes 2-4/9")
        #expect(try BytePart.parts(of: one, Data("cde".utf8), within: [2..<5]).map(\.range) == [2..<5])
        for (asked, bytes) in [(2..<4, "cde"), (0..<9, "cdef"), (3..<9, "cde")] {
            #expect(throws: RangeFailure.self) { try BytePart.parts(of: one, Data(bytes.utf8), within: [asked]) }
        }
        #expect(throws: RangeFailure.self) {
            try BytePart.parts(of: head(type: "text/plain"), Data(), within: [0..<1])
        }
        let whole = try BytePart.parts(of: head(200, type: nil), Data("abc".utf8), within: [0..<1])
        #expect(whole.map(\.range) == [0..<3] && whole.map(\.total) == [3])
    }

    @Test("are taken apart however large they are")
    func large() throws {
        let content = String(repeating: "a", count: 40_000)
        let all = (0..<100).map { part("bytes \($0 * 40_000)-\($0 * 40_000 + 39_999)/*", content) }.joined()
        #expect(try parts(all + end, [0..<4_000_000]).count == 100)
    }

    @Test(
        "have a boundary",
        arguments: [
            ("multipart/byteranges; boundary=abc", "abc"), ("Multipart/ByteRanges;a=b;Boundary=\"a;b\"", "a;b"),
            ("multipart/byteranges", nil), ("multipart/mixed; boundary=a", nil),
            ("multipart/byteranges; boundary=\"\"", nil),
            ("multipart/byteranges; boundary=\(String(repeating: "a", count: 71))", nil),
        ]
    )
    func boundary(type: String, expected: String?) {
        #expect(ByteRangesParser.boundary(of: type) == expected)
    }

    @Test("are asked for with Range")
    func requests() async throws {
        #expect(try await freeze(server().get("a").range(0..<100)).headers[.range] == "bytes=0-99")
        #expect(try await freeze(server().get("a").range(from: 100)).headers[.range] == "bytes=100-")
        #expect(try await freeze(server().get("a").range(last: 100)).headers[.range] == "bytes=-100")
    }

    @Test("that cannot be asked for fail the load")
    func invalidRequests() async throws {
        for invalid in [
            server().get("a").range(5..<5), server().get("a").range(-1..<5), server().get("a").range(from: -1),
            server().get("a").range(last: 0),
        ] {
            let error = await #expect(throws: SwiftyError.self) { try await freeze(invalid) }
            #expect(error?.code == .invalidHeader)
        }
        for ranges in [[], [0..<0], Array(repeating: 0..<1, count: 101)] as [[Range<Int>]] {
            let error = await #expect(throws: SwiftyError.self) { try await server().get("a").byteRanges(ranges) }
            #expect(error?.code == .invalidHeader)
        }
    }

    @Test("The digest of a stream is that of its parts")
    func digest() {
        var digest = SHA256Digest()
        digest.update(Data("a".utf8))
        digest.update(Data("bc".utf8))
        #expect(digest.finalize() == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    }
}
