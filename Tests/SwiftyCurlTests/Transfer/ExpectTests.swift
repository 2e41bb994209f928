// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyCurl
import SwiftyTestServers
import SwiftyTransport
import Testing

@Suite("Expectations before large content", .timeLimit(.minutes(15)))
struct ExpectTests {
    private let transport = CurlTransport(
        configuration: .with { $0.settings.connections.expectContinueThreshold = 1000 }
    )
    private static let content = Data(repeating: 65, count: 300_000)

    /// Content that is sent in one call, and content that is sent in pieces.
    private static let sizes = [1001, 300_000]

    private func request(_ server: ScriptedServer, _ count: Int = 300_000) throws -> NetworkRequest {
        try .to(server.url, method: .post, content: Self.content.prefix(count))
    }

    @Test("the content follows a 100", arguments: sizes)
    func proceed(count: Int) async throws {
        let server = try ScriptedServer([
            .readHead, .send("HTTP/1.1 100 Continue\r\n\r\n"), .readContent, .respond(200, content: "taken"),
        ])
        #expect(try await transport.load(request(server, count)).text == "taken")
        #expect(server.log.requests.count == 1)
        #expect(server.log.requests.first?["Expect"] == "100-continue")
        #expect(server.log.requests.first?.content.count == count)
    }

    @Test("the content follows a second of silence", arguments: sizes)
    func silence(count: Int) async throws {
        let server = try ScriptedServer([.readHead, .readContent, .respond(200, content: "taken")])
        let start = ContinuousClock.now
        #expect(try await transport.load(request(server, count)).text == "taken")
        #expect(ContinuousClock.now - start >= .milliseconds(900))
    }

    @Test("a server without support for expectations gets the request again without one", arguments: sizes)
    func expectationFailed(count: Int) async throws {
        let server = try ScriptedServer { connection in
            connection == 0
                ? [.readHead, .respond(417, content: "what?"), .skip(1), .stall]
                : [.readRequest, .respond(200, content: "taken")]
        }
        #expect(try await transport.load(request(server, count)).text == "taken")
        #expect(server.log.requests.map { $0["Expect"] } == ["100-continue", nil])
        #expect(server.log.requests.map(\.content.count) == [0, count])
    }

    @Test("a 417 without an expectation is a response, and so is a second one")
    func plainFailure() async throws {
        let server = try ScriptedServer { _ in [.readHead, .respond(417, [("Connection", "close")]), .close] }
        #expect(try await transport.load(request(server)).head.statusCode == 417)
        #expect(server.log.requests.count == 2)
        #expect(
            try await transport.load(.to(server.url, method: .post, content: Data("short".utf8))).head.statusCode == 417
        )
        #expect(server.log.requests.count == 3)
    }

    @Test(
        "a 417 from a server that has the content is a response, and the content is sent once",
        arguments: [true, false]
    )
    func lateFailure(isAskedFor: Bool) async throws {
        let ask: [ScriptedServer.Step] = isAskedFor ? [.send("HTTP/1.1 100 Continue\r\n\r\n")] : []
        let exchange = [.readHead] + ask + [.readContent, .respond(417, content: "what?")]
        let server = try ScriptedServer(exchange + exchange)
        let transport = CurlTransport(configuration: .with { $0.settings.connections.expectContinueThreshold = 0 })
        for count in [1, 100_000] {
            let body = Data(repeating: UInt8(ascii: "b"), count: count)
            let response = try await transport.load(.to(server.url, method: .post, content: body))
            #expect(response.head.statusCode == 417)
        }
        #expect(server.log.requests.map(\.content.count) == [1, 100_000])
    }

    @Test(
        "after a final response the content is not sent, and the next load succeeds",
        arguments: [413, 401, 307, 303, 200],
        sizes
    )
    func finalAnswer(status: Int, count: Int) async throws {
        let server = try ScriptedServer { connection in
            connection == 0
                ? [.readHead, .respond(status, content: "no"), .readContent]
                : [.readRequest, .respond(200, content: "next")]
        }
        #expect(try await transport.load(request(server, count)).head.statusCode == status)
        #expect(try await transport.get(server.url).text == "next")
        #expect(server.log.requests.map(\.method) == ["POST", "GET"])
        #expect(server.log.requests.first?.wireContent.isEmpty ?? false)
    }

    @Test("small content, and without a threshold any content, is sent immediately")
    func unasked() async throws {
        let never = CurlTransport(configuration: .with { $0.settings.connections.expectContinueThreshold = nil })
        for (transport, count) in [(transport, 1000), (never, 2_000_000), (CurlTransport(), 1 << 20)] {
            let server = try ScriptedServer([.readRequest, .respond()])
            let body = Data(repeating: 65, count: count)
            _ = try await transport.load(.to(server.url, method: .post, content: body))
            #expect(server.log.requests.first.map { $0["Expect"] } == .some(nil))
        }
    }

    @Test("by default content of more than 1 MiB waits")
    func byDefault() async throws {
        let server = try ScriptedServer([.readHead, .send("HTTP/1.1 100 Continue\r\n\r\n"), .readContent, .respond()])
        let body = Data(repeating: 65, count: 1 << 20 | 1)
        _ = try await CurlTransport().load(.to(server.url, method: .put, content: body))
        #expect(server.log.requests.first?["Expect"] == "100-continue")
        #expect(server.log.requests.first?.content.count == body.count)
    }
}
