// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyCurl
import SwiftyTestServers
import SwiftyTransport
import Testing

/// There is no field that such a line could continue, least of all one of an earlier response.
@Suite("A first field line that begins with a blank", .timeLimit(.minutes(15)))
struct FoldedFieldTests {
    private static let lengths = [0, 1, 7, 8, 15, 16, 24, 31, 32, 64, 100, 200, 500, 1_000, 5_000]

    private static func folded(_ length: Int, by blank: String = "\t") -> ScriptedServer.Step {
        let line = "\(blank)X: \(String(repeating: "A", count: length))"
        return .send("HTTP/1.1 200 OK\r\n\(line)\r\nContent-Length: 2\r\n\r\nok")
    }

    private func expectRefusal(of request: NetworkRequest, by transport: CurlTransport) async throws {
        let error = try await transport.failure(of: request)
        #expect(error.code == .malformedResponse, "\(error)")
    }

    @Test("fails the second load of a connection, whatever its length", arguments: ["\t", " "])
    func secondLoad(blank: String) async throws {
        let server = try ScriptedServer { number in
            let length = Self.lengths[number % Self.lengths.count]
            let calm: [ScriptedServer.Step] = [.readRequest, .respond(200, [("X-A", "b")], content: "ok")]
            return calm + [.readRequest, Self.folded(length, by: blank), .stall]
        }
        let transport = CurlTransport()
        for _ in Self.lengths {
            #expect(try await transport.get(server.url).text == "ok")
            try await expectRefusal(of: .to(server.url), by: transport)
        }
        #expect(server.connectionCount == Self.lengths.count)
    }

    @Test("fails a load that was repeated because the server rejected its expectation")
    func afterRefusedExpectation() async throws {
        let refusal = ScriptedServer.Step.respond(417, [("X-A", "b"), ("Connection", "close")])
        let server = try ScriptedServer { number in
            number % 2 == 0 ? [.readHead, refusal] : [.readRequest, Self.folded(Self.lengths[number / 2]), .stall]
        }
        let transport = CurlTransport(configuration: .with { $0.settings.connections.expectContinueThreshold = 1 })
        for _ in Self.lengths {
            try await expectRefusal(of: .to(server.url, method: .post, content: Data("content".utf8)), by: transport)
        }
        #expect(server.connectionCount == 2 * Self.lengths.count)
    }

    @Test("fails a load that was repeated because its connection was stale")
    func afterStaleConnection() async throws {
        let lengths = [24, 64, 200]
        let excess: [ScriptedServer.Step] = [.pause(.milliseconds(20)), .respond(200, content: "EVIL"), .stall]
        let server = try ScriptedServer { number in
            number % 2 == 0
                ? [.readRequest, .respond(200, [("X-A", "b")], content: "ok")] + excess
                : [.readRequest, Self.folded(lengths[number / 2]), .stall]
        }
        let transport = CurlTransport()
        for _ in lengths {
            #expect(try await transport.get(server.url).text == "ok")
            try await OpenSockets.waitUntilStale(toPorts: [server.port])
            try await expectRefusal(of: .to(server.url), by: transport)
        }
    }

    @Test("fails the repetition of a request on a broken connection")
    func afterDeadConnection() async throws {
        let server = try ScriptedServer { number in
            number == 0
                ? [.readRequest, .respond(200, [("X-A", "b")], content: "ok"), .readRequest, .close]
                : [.readRequest, Self.folded(24), .stall]
        }
        let transport = CurlTransport()
        #expect(try await transport.get(server.url).text == "ok")
        try await expectRefusal(of: .to(server.url), by: transport)
    }

    @Test(
        "fails a load after an informational response, or in one",
        arguments: [
            "HTTP/1.1 103 Hints\r\nLink: a\r\n\r\nHTTP/1.1 200 OK\r\n\tX: b\r\n\r\n", "HTTP/1.1 100 C\r\n X: b\r\n\r\n",
        ]
    )
    func informational(_ answer: String) async throws {
        let server = try ScriptedServer([.readRequest, .respond(content: "ok"), .readRequest, .send(answer), .stall])
        let transport = CurlTransport()
        #expect(try await transport.get(server.url).text == "ok")
        try await expectRefusal(of: .to(server.url), by: transport)
    }

    @Test("in a response to CONNECT leaves the transport usable")
    func connect() async throws {
        let proxy = try ScriptedServer { _ in
            [.readRequest, .send("HTTP/1.1 200 OK\r\n\tX: AAAAAAAAAAAAAAAAAAAAAAAA\r\n\r\n"), .close]
        }
        let address = HostAndPort(host: "127.0.0.1", port: proxy.port)
        let transport = CurlTransport(
            configuration: .with { $0.settings.proxy = .proxy(TransportSettings.Proxy(.http, at: address)) }
        )
        for _ in 0..<20 { _ = try await transport.failure(of: .to("https://localhost:1/")) }
        #expect(proxy.connectionCount == 20)
    }

    @Test("of the trailers is rejected or dropped")
    func trailers() async throws {
        let answer = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\tX: b\r\n\r\n"
        let server = try ScriptedServer(Array(repeating: [.readRequest, .send(answer)], count: 9).flatMap { $0 })
        let transport = CurlTransport()
        for _ in 0..<9 { _ = await transport.result(of: try .to(server.url)) }
        #expect(server.log.requests.count == 9)
    }
}
