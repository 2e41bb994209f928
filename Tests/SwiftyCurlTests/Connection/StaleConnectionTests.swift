// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyTestServers
import SwiftyTransport
import TestSupport
import Testing

@testable import SwiftyCurl

@Suite("Responses that arrive on idle connections", .timeLimit(.minutes(15)))
struct StaleConnectionTests {
    /// Responds, and a moment later sends a second response; on any further connection it responds with `fresh`.
    private func server(_ name: String) throws -> ScriptedServer {
        try ScriptedServer { connection in
            connection == 0
                ? [.readRequest, .respond(content: name), .pause(.milliseconds(20)), .respond(content: "EVIL"), .stall]
                : [.readRequest, .respond(content: "fresh"), .stall]
        }
    }

    private func texts(_ servers: [ScriptedServer], _ transport: CurlTransport) async throws -> [String] {
        try await withThrowingTaskGroup(of: String.self) { group in
            for server in servers { group.addTask { try await transport.get(server.url).text } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    /// The system sometimes gives connections to different servers the same local port: with so many, almost always.
    @Test("are never taken for the next response, even where connections share a local port")
    func sharedLocalPorts() async throws {
        let servers = try (0..<250).map { _ in try server("first") }
        let transport = CurlTransport(configuration: .with { $0.loops = 1 })
        #expect(try await texts(servers, transport) == Array(repeating: "first", count: 250))
        try await OpenSockets.waitUntilStale(toPorts: Set(servers.map(\.port)))
        #expect(try await texts(servers, transport) == Array(repeating: "fresh", count: 250))
        await transport.shutdown()
    }

    /// The first response fills the loop's buffer exactly, so that what follows is left in the socket when the caller,
    /// on the loop's thread, sends its next request in the same turn. A wait counts for long here: a test is slow.
    @Test("are never taken for the response to a request of the same turn", arguments: [0, 16_384, 2 * 16_384])
    func sameTurn(size: Int) async throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Length: "
        let count = size - head.utf8.count - 9
        let first = size == 0 ? "\(head)0\r\n\r\n" : "\(head)\(count)\r\n\r\n" + String(repeating: "a", count: count)
        #expect(size == 0 || first.utf8.count == size)
        let evil = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nEVIL"
        let server = try ScriptedServer { connection in
            connection == 0
                ? [.readRequest, .send(first + evil), .stall] : [.readRequest, .respond(content: "fresh"), .stall]
        }
        let system = NativeLoopSystem(waits: WaitRecord(validity: 60_000_000_000))
        let transport = CurlTransport(CurlTransport.Configuration(), isShared: false, system: system)
        let text = try await Task(executorPreference: transport.executor) {
            _ = try await transport.get(server.url)
            return try await transport.get(server.url).text
        }.value
        #expect(text == "fresh")
        await transport.shutdown()
    }

    @Test("are never taken for the next response on one of several sockets of the file system")
    func fileSystem() async throws {
        let peer = try await PythonPeer("late.py", makes: "socket")
        let transport = CurlTransport(
            configuration: .with { $0.settings.addresses.unixSocketPath = peer.folder.path("socket") }
        )
        for (index, count) in [1, 3].enumerated() {
            // Their addresses do not distinguish the connections of one socket.
            let texts = try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<count { group.addTask { try await transport.get("http://one.test/slow").text } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(texts == Array(repeating: "ok", count: count))
            #expect(try await transport.get("http://one.test/late").text == "ok")
            // The other process sends the second response some time after the first, and then writes a line.
            try await until { peer.folder.lines("socket.late").count > index }
            for _ in 0..<4 { #expect(try await transport.get("http://one.test/calm").text == "ok") }
        }
    }

    @Test("a socket of the file system is reused while nothing has arrived on it")
    func fileSystemReuse() async throws {
        let peer = try await PythonPeer("late.py", makes: "socket")
        let transport = CurlTransport(
            configuration: .with { $0.settings.addresses.unixSocketPath = peer.folder.path("socket") }
        )
        for index in 0..<4 {
            #expect(try await transport.get("http://one.test/calm").metrics.isConnectionReused == (index > 0))
        }
    }
}
