// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyCurl
import SwiftyTestServers
import SwiftyTransport
import Testing

@Suite("Malformed responses", .timeLimit(.minutes(15)))
struct MalformedResponseTests {
    private static let ok = "HTTP/1.1 200 OK\r\n"
    private static let chunked = ok + "Transfer-Encoding: chunked\r\n\r\n"

    /// Field names that are not tokens (RFC 9110 §5.1).
    private static let names = [
        "Content-Length\u{b}", "Content Length", "\"Content-Length\"", "X(a)", "X\u{1}", "X\u{7f}", "X\u{e9}", "X/a",
        "X@a", "[X]",
        "X\u{b} ", "{X}", "X,Y", "X;Y", "X=Y",
    ]

    /// Rejected by strict and lenient rules.
    static let hopeless: [String] =
        [
            "hello\r\n\r\n", "HTTP/0.9 200 OK\r\n\r\n", "HTTP/1.1\r\n\r\n", "HTTP/1.1 20\r\n\r\n",
            "HTTP/1.1 2000 OK\r\n\r\n",
            "HTTP/1.1 abc OK\r\n\r\n", "HTTP/1.1 099 OK\r\n\r\n", "HTTP/1.2 200 OK\r\n\r\n", "HTTP/3.1 200 OK\r\n\r\n",
            "ICY 200 OK\r\n\r\n", "RTSP/1.0 200 OK\r\n\r\n", "HTTP/11 200 OK\r\n\r\n", "http/1.1 200 OK\r\n\r\n",
            "HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n",
        ]
        + [
            "Content-Length: 3\r\nContent-Length: 5", "Content-Length: 3abc", "Content-Length: 0x3",
            "Content-Length: +3",
            "Content-Length: -3", "Content-Length: 99999999999999999999999", "Content-Length:", "Content-Length: 3 3",
            "Content-Length: 3, 5", "Content-Length: 3,", "Content-Length: 3.0", "Content-Length : 3",
            "Content-Length\t: 3", "Content-Length:\r\n 3", "Content-Length: 3\r\n 3", "No colon", ": no name",
            " folded: first",
            "X-A: b\0c", "Transfer-Encoding: chunked, identity", "Transfer-Encoding: chunked, chunked",
            "Transfer-Encoding: xchunked", "Transfer-Encoding: gzip, chunked", "Transfer-Encoding:",
            "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked", "Transfer-Encoding : chunked",
            "Transfer-Encoding:\r\n chunked",
        ].map { "\(ok)\($0)\r\n\r\nabc" }
        + names.map { "\(ok)\($0): 3\r\nContent-Length: 3\r\n\r\nabc" }
        + names.map { "\(chunked)3\r\nabc\r\n0\r\n\($0): 3\r\n\r\n" }
        + ["x\r\n", "-1\r\nabc\r\n", "fffffffffffffffff\r\nabc\r\n", "\r\n"].map { chunked + $0 }
        // Careless readers accept each of these with the size and content of `3`.
        + ["3zz", "3 3", "3.0", "3;a\0b", "3;a\rb"].map { "\(chunked)\($0)\r\nabc\r\n0\r\n\r\n" }
        // And these as the end of the content.
        + ["0x3", "0xa", "0,3", "0\0"].map { "\(chunked)\($0)\r\n\r\n" }
        + [
            chunked + "3\r\nabc\r\r\n0\r\n\r\n", chunked + "0\r\n folded: first\r\n\r\n",
            chunked + "0\r\nHTTP/1.1 200 OK\r\n\r\n", chunked + "0\r\nX-A: b\0c\r\n\r\n",
            chunked + "0\r\nno colon\r\n\r\n", chunked + "3\r\nabcX",
        ]

    /// Rejected by strict rules, accepted with this text by lenient ones.
    static let odd: [(answer: String, text: String)] = [
        (ok + "X-A: b\rc\r\nContent-Length: 3\r\n\r\nabc", "abc"),
        (ok + "X-A : b\r\nContent-Length: 3\r\n\r\nabc", "abc"),
        (ok + "Content-Length: 3\r\n\r\r\nabc", "abc"),
        (ok + "Content-Length: 3, 3\r\n\r\nabc", "abc"),
        (ok + "Content-Length: 9\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n", "abc"),
        (ok + "Transfer-Encoding: chunked\r\nContent-Length: 9\r\n\r\n3\r\nabc\r\n0\r\n\r\n", "abc"),
        (ok + "Transfer-Encoding: identity\r\nContent-Length: 3\r\n\r\nabc", "abc"),
        ("HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n", "abc"),
        (chunked + "3\nabc\r\n0\r\n\r\n", "abc"), (chunked + "3 \r\nabc\r\n0\r\n\r\n", "abc"),
        (chunked + "3\r\nabc\n0\r\n\r\n", "abc"), (chunked + "3;=\r\nabc\r\n0\r\n\r\n", "abc"),
        (chunked + "3\r\nabc\r\n0\r\nT : u\r\n\r\n", "abc"),
    ]

    private func transport(_ strictness: TransportSettings.Responses.Strictness) -> CurlTransport {
        CurlTransport(configuration: .with { $0.settings.responses.strictness = strictness })
    }

    private func expectRefusal(_ answer: String, _ strictness: TransportSettings.Responses.Strictness) async throws {
        let server = try ScriptedServer.answering(answer)
        let transport = transport(strictness)
        let error = try await transport.failure(of: .to(server.url))
        #expect(error.code == .malformedResponse, "\(answer.debugDescription): \(error)")
        #expect(try await transport.get(server.url).text == "fresh", "\(answer.debugDescription)")
        #expect(server.connectionCount == 2)
        await transport.shutdown()
    }

    @Test(
        "malformed responses fail by strict rules, and their connections are never reused",
        arguments: hopeless + odd.map(\.answer)
    )
    func strict(_ answer: String) async throws {
        try await expectRefusal(answer, .strict)
    }

    @Test("responses that no reader can accept fail with lenient rules, too", arguments: hopeless)
    func lenientRefuses(_ answer: String) async throws {
        try await expectRefusal(answer, .lenient)
    }

    @Test(
        "responses that most readers accept are accepted with lenient rules, and their connections are never reused",
        arguments: odd
    )
    func lenient(_ answer: String, _ text: String) async throws {
        let server = try ScriptedServer.answering(answer)
        let transport = transport(.lenient)
        let response = try await transport.get(server.url)
        #expect(response.text == text)
        #expect(response.metrics.isCompletenessProven)
        #expect(try await transport.get(server.url).text == "fresh")
        #expect(server.connectionCount == 2)
        await transport.shutdown()
    }

    @Test("content shorter than announced fails even with lenient rules, with a coding that says nothing")
    func lenientlyShort() async throws {
        let answer = Self.ok + "Transfer-Encoding: identity\r\nContent-Length: 9\r\n\r\nabc"
        let server = try ScriptedServer([.readRequest, .send(answer), .close])
        let error = try await transport(.lenient).failure(of: .to(server.url))
        #expect(error.code == .connectionLost)
        #expect(error.content == Data("abc".utf8))
    }

    @Test("an accepted bare CR becomes a space in the field")
    func bareReturn() async throws {
        let server = try ScriptedServer.answering(Self.odd[0].answer)
        let response = try await transport(.lenient).get(server.url)
        #expect(response.head.headers[try #require(HTTPField.Name("X-A"))] == "b c")
    }

    @Test(
        "a bare LF ends a line, a folded field is one line, and a length may have leading zeros",
        arguments: [TransportSettings.Responses.Strictness.strict, .lenient]
    )
    func harmless(_ strictness: TransportSettings.Responses.Strictness) async throws {
        let zeros = String(repeating: "0", count: 30)
        let server = try ScriptedServer.answering("HTTP/1.1 200 OK\nX-A: b\r\n c\nContent-Length: \(zeros)3\n\nabc")
        let transport = transport(strictness)
        #expect(try await transport.get(server.url).text == "abc")
        #expect(try await transport.get(server.url).text == "reused")
    }
}
