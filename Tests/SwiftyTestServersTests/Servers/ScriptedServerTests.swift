// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyTestServers
import TestSupport
import Testing

@Suite("A scripted server", .timeLimit(.minutes(15)))
struct ScriptedServerTests {
    private static let response = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

    @Test("sends exactly the scripted bytes and then FIN")
    func exactBytes() throws {
        let server = try ScriptedServer([.readRequest, .send([0, 13, 255, 10])])
        let client = try SocketClient(port: server.port)
        try client.send("GET / HTTP/1.1\r\n\r\n")
        #expect(try client.readToEnd() == [0, 13, 255, 10])
    }

    @Test("records the head, the fields in order, and content by Content-Length")
    func record() throws {
        let server = try ScriptedServer([.readRequest, .send(Self.response)])
        let client = try SocketClient(port: server.port)
        try client.send("POST /p?a=1 HTTP/1.1\r\nb:  2 \r\nA: 1\r\nB: 3\r\nContent-Length: 5\r\n\r\nhe")
        try client.send("llo")
        #expect(try client.readTextToEnd() == Self.response)
        let request = try #require(server.log.requests.first)
        #expect([request.method, request.target, request.version] == ["POST", "/p?a=1", "HTTP/1.1"])
        #expect(request.headers.map(\.name) == ["b", "A", "B", "Content-Length"])
        #expect(request.values(of: "B") == ["2", "3"])
        #expect(request.text == "hello")
        #expect(request.connection == 0)
    }

    @Test("reads chunked content with extensions and trailers")
    func chunkedContent() throws {
        let server = try ScriptedServer([.readRequest, .send(Self.response)])
        let client = try SocketClient(port: server.port)
        let wire = "3;x=1\r\nabc\r\n0A\r\n0123456789\r\n0\r\nTrailer: t\r\n\r\n"
        try client.send("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n")
        for byte in wire.utf8 { try client.send([byte]) }
        #expect(try client.readTextToEnd() == Self.response)
        let request = try #require(server.log.requests.first)
        #expect(request.text == "abc0123456789")
        #expect(String(decoding: request.wireContent, as: UTF8.self) == wire)
    }

    @Test("serves a kept-alive connection, also with pipelined requests")
    func keepAlive() throws {
        let server = try ScriptedServer([.readRequest, .send("one"), .readRequest, .send("two"), .readRequest])
        let client = try SocketClient(port: server.port)
        try client.send("POST /1 HTTP/1.1\r\nContent-Length: 1\r\n\r\nxGET /2 HTTP/1.1\r\n\r\n")
        #expect(try client.read(6) == Array("onetwo".utf8))
        try client.send("GET /3 HTTP/1.1\r\n\r\n")
        #expect(try client.readToEnd().isEmpty)
        #expect(server.log.requests.map(\.target) == ["/1", "/2", "/3"])
        #expect(server.connectionCount == 1)
    }

    @Test("numbers connections and gives each its own script")
    func scripts() throws {
        let server = try ScriptedServer(perConnection: { [.send("connection \($0)")] })
        for number in 0..<5 {
            let client = try SocketClient(port: server.port)
            #expect(try client.readTextToEnd() == "connection \(number)")
        }
        #expect(server.connectionCount == 5)
    }

    @Test("resets the connection")
    func reset() throws {
        let server = try ScriptedServer([.readRequest, .reset])
        let client = try SocketClient(port: server.port)
        try client.send("GET / HTTP/1.1\r\n\r\n")
        #expect(throws: SocketClient.Failure.reset) { try client.readToEnd() }
    }

    @Test("closes with FIN although the request was not read")
    func unreadRequest() throws {
        let server = try ScriptedServer([.send(Self.response), .close])
        let client = try SocketClient(port: server.port)
        try client.send([UInt8](repeating: 65, count: 300_000))
        #expect(try client.readTextToEnd() == Self.response)
    }

    @Test("half-closes and still reads")
    func halfClose() async throws {
        let server = try ScriptedServer([.send("hello"), .halfClose, .readRequest])
        let client = try SocketClient(port: server.port)
        #expect(try client.readTextToEnd() == "hello")
        try client.send("GET /late HTTP/1.1\r\n\r\n")
        #expect(try await server.takeRequest().target == "/late")
    }

    @Test("responds between head and content")
    func betweenHeadAndContent() throws {
        let server = try ScriptedServer([
            .readHead, .send("HTTP/1.1 100 Continue\r\n\r\n"), .readContent, .respond(201, content: "x"),
        ])
        let client = try SocketClient(port: server.port)
        try client.send("PUT / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n")
        #expect(try client.readLine() == "HTTP/1.1 100 Continue")
        #expect(try client.readLine().isEmpty)
        try client.send("abc")
        #expect(try client.readTextToEnd() == "HTTP/1.1 201 Scripted\r\nContent-Length: 1\r\n\r\nx")
        #expect(server.log.requests.map(\.text) == ["abc"])
    }

    @Test("skips a number of bytes")
    func skip() throws {
        let server = try ScriptedServer([.readHead, .skip(100_000), .reset])
        let client = try SocketClient(port: server.port)
        try client.send("PUT / HTTP/1.1\r\nContent-Length: 200000\r\n\r\n")
        try client.send([UInt8](repeating: 65, count: 100_000))
        #expect(throws: SocketClient.Failure.reset) { try client.readToEnd() }
    }

    @Test("pauses for at least the given duration")
    func pause() throws {
        let server = try ScriptedServer([.pause(.milliseconds(80)), .send("x")])
        let start = ContinuousClock.now
        let client = try SocketClient(port: server.port)
        #expect(try client.readTextToEnd() == "x")
        #expect(ContinuousClock.now - start >= .milliseconds(80))
    }

    @Test("stalls until the peer leaves, without reading")
    func stall() async throws {
        let server = try ScriptedServer([.stall])
        do {
            let client = try SocketClient(port: server.port)
            try client.send("unread")
            try await until { server.openConnectionCount == 1 }
        }
        try await until { server.openConnectionCount == 0 }
    }

    @Test(
        "stops in the middle of any step",
        arguments: [[ScriptedServer.Step.stall], [.pause(.seconds(600))], [.readRequest], [.skip(10)]]
    )
    func stop(script: [ScriptedServer.Step]) async throws {
        let isRefused = try await refusesConnections {
            let server = try ScriptedServer(script)
            let client = try SocketClient(port: server.port)
            try await until { server.openConnectionCount == 1 }
            await server.stop()
            await server.stop()
            #expect(try client.readToEnd().isEmpty)
            try await until { server.openConnectionCount == 0 }
            return server.port
        }
        #expect(isRefused)
    }

    @Test("stops while it sends to a peer that does not read")
    func stopWhileSending() async throws {
        let server = try ScriptedServer([.send([UInt8](repeating: 0, count: 50_000_000))])
        let client = try SocketClient(port: server.port)
        #expect(try client.read(1) == [0])
        await server.stop()
        try await until { server.openConnectionCount == 0 }
    }

    @Test("stops when it is released")
    func release() async throws {
        let isRefused = try await refusesConnections {
            var server: ScriptedServer? = try ScriptedServer([.stall])
            let port = try #require(server?.port)
            let client = try SocketClient(port: port)
            server = nil
            #expect((try? client.readToEnd())?.isEmpty ?? true)
            return port
        }
        #expect(isRefused)
    }

    @Test("ends a connection that begins with a TLS handshake, sends nothing and records nothing")
    func tlsHandshake() throws {
        for step in [ScriptedServer.Step.readRequest, .readHead] {
            let server = try ScriptedServer([step, .send(Self.response)])
            let client = try SocketClient(port: server.port)
            try client.send([0x16, 0x03, 0x01, 0x02, 0x00])
            #expect(try client.readToEnd().isEmpty)
            #expect(server.log.requests.isEmpty)
        }
    }

    @Test("serves two hundred connections simultaneously, repeatedly")
    func manyConnections() throws {
        for _ in 0..<5 {
            let server = try ScriptedServer([
                .readRequest, .send(Self.response), .readRequest, .send(Self.response), .stall,
            ])
            let clients = try (0..<200).map { _ in try SocketClient(port: server.port) }
            for _ in 0..<2 {
                for client in clients { try client.send("GET / HTTP/1.1\r\n\r\n") }
                for client in clients {
                    #expect(try client.read(Self.response.utf8.count) == Array(Self.response.utf8))
                }
            }
            #expect(server.connectionCount == 200)
            #expect(server.log.requests.count == 400)
        }
    }
}
