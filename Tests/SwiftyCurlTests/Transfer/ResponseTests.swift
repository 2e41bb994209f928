// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyCurl
import SwiftyTestServers
import SwiftyTransport
import TestSupport
import Testing

@Suite("Responses", .timeLimit(.minutes(15)))
struct ResponseTests {
    private let transport = CurlTransport()

    private func response(to text: String) async throws -> TransportResponse {
        let server = try ScriptedServer([.readRequest, .send(text), .close])
        return try await transport.get(server.url)
    }

    @Test("heads of 1xx responses are skipped; the last one counts")
    func informational() async throws {
        let response = try await response(
            to: "HTTP/1.1 103 Early Hints\r\nX-Early: 1\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n"
                + "HTTP/1.1 201 Created\r\nX-Late: 1\r\nContent-Length: 2\r\n\r\nok"
        )
        #expect(response.head.statusCode == 201)
        #expect(response.head.headers.map(\.name.rawName) == ["X-Late", "Content-Length"])
        #expect(response.text == "ok")
    }

    @Test("chunks are joined, extensions and trailers dropped")
    func chunked() async throws {
        let response = try await response(
            to: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;a=b\r\nabc\r\n4\r\ndefg\r\n0\r\nX-T: 1\r\n\r\n"
        )
        #expect(response.text == "abcdefg")
        #expect(response.head.headers.map(\.name.rawName) == ["Transfer-Encoding"])
    }

    @Test("content without a length ends with the connection")
    func closeDelimited() async throws {
        let response = try await response(to: "HTTP/1.1 200 OK\r\n\r\nuntil the end")
        #expect(response.text == "until the end")
        #expect(try await self.response(to: "HTTP/1.0 200 OK\r\n\r\nold").head.httpVersion == .http1_0)
    }

    @Test("a folded field is joined with spaces and does not break the next one")
    func folded() async throws {
        let response = try await response(
            to: "HTTP/1.1 200 OK\r\nX-Fold: one\r\n  two: 2\r\n\tthree\r\nX-Next: n\r\nContent-Length: 0\r\n\r\n"
        )
        #expect(response.head.headers.map(\.name.rawName) == ["X-Fold", "X-Next", "Content-Length"])
        #expect(response.head.headers.first?.value == "one two: 2 three")
    }

    @Test("statuses without content have none", arguments: [204, 304])
    func withoutContent(_ status: Int) async throws {
        let response = try await response(to: "HTTP/1.1 \(status) X\r\nETag: \"a\"\r\n\r\n")
        #expect(response.head.statusCode == status)
        #expect(response.content.isEmpty)
    }

    @Test("a large response arrives unchanged", arguments: [1, 15, 16_385, 2_000_000])
    func large(_ size: Int) async throws {
        let body = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 9) }
        let head = Array("HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n".utf8)
        let server = try ScriptedServer([.readRequest, .send(head + body), .close])
        let response = try await transport.get(server.url)
        #expect(response.content == Data(body))
    }

    @Test("redirects, cookies and challenges are returned, not acted upon")
    func nothingIsFollowed() async throws {
        let server = try ScriptedServer([
            .readRequest, .respond(302, [("Location", "/other"), ("Set-Cookie", "a=b")]),
            .readRequest, .respond(401, [("WWW-Authenticate", "Basic realm=x")]),
        ])
        #expect(try await transport.get(server.url).head.statusCode == 302)
        #expect(try await transport.get(server.url).head.statusCode == 401)
        #expect(server.log.requests.map(\.target) == ["/", "/"])
        #expect(server.log.requests.last?["Cookie"] == nil)
    }

    @Test("coded content is returned as it was transferred")
    func codedContent() async throws {
        let text = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc"
        #expect(try await response(to: text).text == "abc")
    }

    @Test("a response that comes before the request is fully sent is returned")
    func earlyResponse() async throws {
        let server = try ScriptedServer([
            .readHead, .send("HTTP/1.1 413 Too Large\r\nConnection: close\r\nContent-Length: 3\r\n\r\nbig"),
            .pause(.milliseconds(200)), .close,
        ])
        let body = Data(repeating: 1, count: 20_000_000)
        let response = try await transport.load(.to(server.url, method: .post, content: body))
        #expect(response.head.statusCode == 413)
        #expect(response.text == "big")
    }
}
