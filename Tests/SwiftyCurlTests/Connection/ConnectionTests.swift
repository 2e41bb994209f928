// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyCurl
import SwiftyTestServers
import SwiftyTransport
import TestSupport
import Testing

@Suite("Connections", .timeLimit(.minutes(15)))
struct ConnectionTests {
    private let transport = CurlTransport()

    @Test("a connection is kept and reused, and the metrics report it")
    func keepAlive() async throws {
        let exchange: [ScriptedServer.Step] = [.readRequest, .respond(200, content: "ok")]
        let server = try ScriptedServer(exchange + exchange + exchange)
        let first = try await transport.get(server.url).metrics
        let second = try await transport.get(server.url).metrics
        _ = try await transport.get(server.url)
        #expect(server.connectionCount == 1)
        #expect(!first.isConnectionReused)
        #expect(first.connect > .zero)
        #expect(second.isConnectionReused)
        #expect(second.connect == .zero)
        #expect(second.nameLookup == .zero)
        #expect(second.firstByte > .zero)
        #expect(second.total >= second.firstByte)
        #expect(second.remoteAddress == "127.0.0.1")
        #expect(second.remotePort == server.port)
        #expect(second.httpVersion == .http1_1)
        #expect(second.responseContentBytes == 2)
        #expect(second.responseHeaderBytes == "HTTP/1.1 200 Scripted\r\nContent-Length: 2\r\n\r\n".utf8.count)
        #expect(second.requestHeaderBytes > 40)
    }

    @Test("a connection has a number and an own address, which its requests share")
    func addresses() async throws {
        let exchange: [ScriptedServer.Step] = [.readRequest, .respond(200, content: "ok")]
        let servers = try [ScriptedServer(exchange + exchange), ScriptedServer(exchange)]
        let first = try await transport.get(servers[0].url).metrics
        let second = try await transport.get(servers[0].url).metrics
        let other = try await transport.get(servers[1].url).metrics
        #expect(first.localAddress == "127.0.0.1")
        #expect((1...65_535).contains(first.localPort))
        #expect(second.localPort == first.localPort)
        #expect(first.connectionNumber > 0)
        #expect(second.connectionNumber == first.connectionNumber)
        #expect(other.connectionNumber > first.connectionNumber)
        #expect(other.localPort != first.localPort)
    }

    @Test("a connection that the server closes is not reused")
    func connectionClose() async throws {
        let server = try ScriptedServer([.readRequest, .respond(200, [("Connection", "close")], content: "ok")])
        for _ in 0..<3 { #expect(try await transport.get(server.url).text == "ok") }
        #expect(server.connectionCount == 3)
    }

    @Test("five hundred simultaneous loads all get responses")
    func manyAtOnce() async throws {
        let exchange: [ScriptedServer.Step] = [.readRequest, .respond(200, content: "ok")]
        let server = try ScriptedServer(Array(repeating: exchange, count: 500).flatMap { $0 })
        let answers = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<500 { group.addTask { try await transport.get(server.url).text } }
            return try await group.reduce(into: [String]()) { $0.append($1) }
        }
        #expect(answers == Array(repeating: "ok", count: 500))
        #expect(server.log.requests.count == 500)
    }

    @Test("several loops share the hosts")
    func severalLoops() async throws {
        let transport = CurlTransport(configuration: .with { $0.loops = 3 })
        let servers = try (0..<6).map { _ in
            try ScriptedServer([.readRequest, .respond(200), .readRequest, .respond(200)])
        }
        for server in servers + servers { _ = try await transport.get(server.url) }
        #expect(servers.map(\.connectionCount) == Array(repeating: 1, count: 6))
        await transport.shutdown()
    }

    @Test("several loops carry many simultaneous loads")
    func severalLoopsAtOnce() async throws {
        let transport = CurlTransport(configuration: .with { $0.loops = 3 })
        let exchange: [ScriptedServer.Step] = [.readRequest, .respond(200, content: "ok")]
        let servers = try (0..<6).map { _ in try ScriptedServer(Array(repeating: exchange, count: 100).flatMap { $0 }) }
        try await withThrowingTaskGroup(of: String.self) { group in
            for index in 0..<600 {
                let url = servers[index % 6].url
                group.addTask { try await transport.get(url).text }
            }
            for try await text in group { #expect(text == "ok") }
        }
        #expect(servers.map(\.log.count) == Array(repeating: 100, count: 6))
        await transport.shutdown()
        try await until { servers.allSatisfy { $0.openConnectionCount == 0 } }
    }

    @Test("bytes that arrive on an idle connection are not taken for the next response", arguments: ["GET", "POST"])
    func unsolicitedBytes(_ name: String) async throws {
        let server = try ScriptedServer { connection in
            connection == 0
                ? [
                    .readRequest, .respond(200, content: "first"), .pause(.milliseconds(100)),
                    .respond(200, content: "EVIL"), .stall,
                ]
                : [.readRequest, .respond(200, content: "good"), .readRequest, .respond(200, content: "again")]
        }
        #expect(try await transport.get(server.url).text == "first")
        try await OpenSockets.waitUntilStale(toPorts: [server.port])
        let method = try #require(HTTPRequest.Method(name))
        let second = try await transport.load(.to(server.url, method: method))
        #expect(second.text == "good")
        #expect(!second.metrics.isConnectionReused)
        #expect(try await transport.get(server.url).text == "again")
        #expect(server.connectionCount == 2)
        #expect(server.log.requests.count == 3)
    }

    @Test("a connection that was closed while idle is replaced, even for a POST")
    func closedWhileIdle() async throws {
        let server = try ScriptedServer([.readRequest, .respond(200, content: "ok"), .close])
        #expect(try await transport.get(server.url).text == "ok")
        try await OpenSockets.waitUntilStale(toPorts: [server.port])
        let response = try await transport.load(.to(server.url, method: .post, content: Data("x".utf8)))
        #expect(response.text == "ok")
        #expect(server.log.requests.map(\.method) == ["GET", "POST"])
    }
}
