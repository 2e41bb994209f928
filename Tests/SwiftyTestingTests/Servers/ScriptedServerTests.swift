// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyTesting
import Testing

@Suite("A raw server")
struct ScriptedServerTests {
    private static let answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

    @Test func `sends exactly the scripted bytes and then FIN`() throws {
        let server = try ScriptedServer([.readRequest, .send([0, 13, 255, 10])])
        let client = try SocketClient(port: server.port)
        try client.send("GET / HTTP/1.1\r\n\r\n")
        #expect(try client.readToEnd() == [0, 13, 255, 10])
    }

    @Test func `records head, headers in order, and a body by Content-Length`() throws {
        let server = try ScriptedServer([.readRequest, .send(Self.answer)])
        let client = try SocketClient(port: server.port)
        try client.send("POST /p?a=1 HTTP/1.1\r\nb:  2 \r\nA: 1\r\nB: 3\r\nContent-Length: 5\r\n\r\nhe")
        try client.send("llo")
        #expect(try client.readTextToEnd() == Self.answer)
        let request = try #require(server.log.requests.first)
        #expect([request.method, request.target, request.version] == ["POST", "/p?a=1", "HTTP/1.1"])
        #expect(request.headers.map(\.name) == ["b", "A", "B", "Content-Length"])
        #expect(request.values(of: "B") == ["2", "3"])
        #expect(request.bodyText == "hello")
        #expect(request.connection == 0)
    }

    @Test func `reads a chunked body with extensions and trailers`() throws {
        let server = try ScriptedServer([.readRequest, .send(Self.answer)])
        let client = try SocketClient(port: server.port)
        let wire = "3;x=1\r\nabc\r\n0A\r\n0123456789\r\n0\r\nTrailer: t\r\n\r\n"
        try client.send("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n")
        for byte in wire.utf8 { try client.send([byte]) }
        #expect(try client.readTextToEnd() == Self.answer)
        let request = try #require(server.log.requests.first)
        #expect(request.bodyText == "abc0123456789")
        #expect(String(decoding: request.wireBody, as: UTF8.self) == wire)
    }

    @Test func `serves a kept-alive connection, pipelined requests included`() throws {
        let server = try ScriptedServer([.readRequest, .send("one"), .readRequest, .send("two"), .readRequest])
        let client = try SocketClient(port: server.port)
        try client.send("POST /1 HTTP/1.1\r\nContent-Length: 1\r\n\r\nxGET /2 HTTP/1.1\r\n\r\n")
        #expect(try client.read(6) == Array("onetwo".utf8))
        try client.send("GET /3 HTTP/1.1\r\n\r\n")
        #expect(try client.readToEnd().isEmpty)
        #expect(server.log.requests.map(\.target) == ["/1", "/2", "/3"])
        #expect(server.connectionCount == 1)
    }

    @Test func `numbers connections and gives each its own script`() throws {
        let server = try ScriptedServer(perConnection: { [.send("connection \($0)")] })
        for number in 0..<5 {
            let client = try SocketClient(port: server.port)
            #expect(try client.readTextToEnd() == "connection \(number)")
        }
        #expect(server.connectionCount == 5)
    }

    @Test func `resets the connection`() throws {
        let server = try ScriptedServer([.readRequest, .reset])
        let client = try SocketClient(port: server.port)
        try client.send("GET / HTTP/1.1\r\n\r\n")
        #expect(throws: SocketClient.Failure.reset) { try client.readToEnd() }
    }

    @Test func `closes with FIN although the request was not read`() throws {
        let server = try ScriptedServer([.send(Self.answer), .close])
        let client = try SocketClient(port: server.port)
        try client.send([UInt8](repeating: 65, count: 300_000))
        #expect(try client.readTextToEnd() == Self.answer)
    }

    @Test func `half-closes and still reads`() throws {
        let server = try ScriptedServer([.send("hello"), .halfClose, .readRequest])
        let client = try SocketClient(port: server.port)
        #expect(try client.readTextToEnd() == "hello")
        try client.send("GET /late HTTP/1.1\r\n\r\n")
        try waitUntil { server.log.requests.count == 1 }
    }

    @Test func `answers between head and body`() throws {
        let server = try ScriptedServer([
            .readHead, .send("HTTP/1.1 100 Continue\r\n\r\n"), .readBody, .respond(201, body: "x"),
        ])
        let client = try SocketClient(port: server.port)
        try client.send("PUT / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n")
        #expect(try client.readLine() == "HTTP/1.1 100 Continue")
        #expect(try client.readLine().isEmpty)
        try client.send("abc")
        #expect(try client.readTextToEnd() == "HTTP/1.1 201 Scripted\r\nContent-Length: 1\r\n\r\nx")
        #expect(server.log.requests.map(\.bodyText) == ["abc"])
    }

    @Test func `skips a number of bytes`() throws {
        let server = try ScriptedServer([.readHead, .skip(100_000), .reset])
        let client = try SocketClient(port: server.port)
        try client.send("PUT / HTTP/1.1\r\nContent-Length: 200000\r\n\r\n")
        try client.send([UInt8](repeating: 65, count: 100_000))
        #expect(throws: SocketClient.Failure.reset) { try client.readToEnd() }
    }

    @Test func `pauses for at least the given time`() throws {
        let server = try ScriptedServer([.pause(.milliseconds(80)), .send("x")])
        let start = ContinuousClock.now
        let client = try SocketClient(port: server.port)
        #expect(try client.readTextToEnd() == "x")
        #expect(ContinuousClock.now - start >= .milliseconds(80))
    }

    @Test func `stalls until the peer leaves, without reading`() throws {
        let server = try ScriptedServer([.stall])
        do {
            let client = try SocketClient(port: server.port)
            try client.send("unread")
            try waitUntil { server.openConnectionCount == 1 }
        }
        try waitUntil { server.openConnectionCount == 0 }
    }

    @Test(arguments: [[ScriptedServer.Step.stall], [.pause(.seconds(600))], [.readRequest], [.skip(10)]])
    func `stops in the middle of any step`(script: [ScriptedServer.Step]) async throws {
        let server = try ScriptedServer(script)
        let client = try SocketClient(port: server.port)
        try waitUntil { server.openConnectionCount == 1 }
        await server.stop()
        await server.stop()
        #expect(try client.readToEnd().isEmpty)
        #expect(throws: SocketClient.Failure.self) { _ = try SocketClient(port: server.port) }
        try waitUntil { server.openConnectionCount == 0 }
    }

    @Test func `stops while it sends to a peer that does not read`() async throws {
        let server = try ScriptedServer([.send([UInt8](repeating: 0, count: 50_000_000))])
        let client = try SocketClient(port: server.port)
        #expect(try client.read(1) == [0])
        await server.stop()
        try waitUntil { server.openConnectionCount == 0 }
    }

    @Test func `stops when it is released`() throws {
        var server: ScriptedServer? = try ScriptedServer([.stall])
        let port = try #require(server?.port)
        let client = try SocketClient(port: port)
        server = nil
        #expect((try? client.readToEnd())?.isEmpty ?? true)
        #expect(throws: SocketClient.Failure.self) { _ = try SocketClient(port: port) }
    }

    @Test func `ends a connection that begins with a TLS handshake, sends nothing, and records nothing`() throws {
        for step in [ScriptedServer.Step.readRequest, .readHead] {
            let server = try ScriptedServer([step, .send(Self.answer)])
            let client = try SocketClient(port: server.port)
            try client.send([0x16, 0x03, 0x01, 0x02, 0x00])
            #expect(try client.readToEnd().isEmpty)
            #expect(server.log.requests.isEmpty)
        }
    }

    @Test func `serves two hundred connections at once, again and again`() throws {
        for _ in 0..<5 {
            let server = try ScriptedServer([
                .readRequest, .send(Self.answer), .readRequest, .send(Self.answer), .stall,
            ])
            let clients = try (0..<200).map { _ in try SocketClient(port: server.port) }
            for _ in 0..<2 {
                for client in clients { try client.send("GET / HTTP/1.1\r\n\r\n") }
                for client in clients { #expect(try client.read(Self.answer.utf8.count) == Array(Self.answer.utf8)) }
            }
            #expect(server.connectionCount == 200)
            #expect(server.log.requests.count == 400)
        }
    }
}

/// Waits for something that another thread does; fails after 20 seconds.
func waitUntil(_ condition: () -> Bool) throws {
    let deadline = ContinuousClock.now + .seconds(20)
    while !condition() {
        try #require(ContinuousClock.now < deadline, "waited too long")
        Thread.sleep(forTimeInterval: 0.002)
    }
}
