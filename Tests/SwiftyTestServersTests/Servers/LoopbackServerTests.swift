// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyTestServers
import TestSupport
import Testing

@Suite("A loopback server", .timeLimit(.minutes(15)))
struct LoopbackServerTests: LoopbackServerTesting {
    let server: LoopbackServer

    init() throws { server = try LoopbackServer() }

    @Test(
        "responds to HEAD with the fields of GET and no content",
        arguments: ["/get?a=1", "/stream/3", "/bytes/1000", "/gzip", "/redirect/1", "/status/404", "/anything"]
    )
    func head(target: String) throws {
        let client = try SocketClient(port: server.port)
        let head = try client.exchange("HEAD", target)
        let get = try client.exchange("GET", target)
        #expect(head.status == get.status)
        #expect(head.headers.map(\.name) == get.headers.map(\.name))
        if !target.hasPrefix("/gzip") { #expect(head["Content-Length"] == get["Content-Length"]) }
        #expect(server.log.requests.map(\.method) == ["HEAD", "GET"])
    }

    @Test("rejects a wrong method and lists the allowed ones")
    func wrongMethod() throws {
        let response = try fetch("POST", "/get", content: "x")
        #expect(response.status == 405)
        #expect(response["Allow"] == "GET, HEAD, OPTIONS")
        #expect(try fetch("GET", "/post")["Allow"] == "OPTIONS, POST")
        #expect(try fetch("GET", "/nowhere").status == 404)
    }

    @Test("lists the methods of a path in response to OPTIONS")
    func options() throws {
        let response = try fetch("OPTIONS", "/get")
        #expect(response.status == 200)
        #expect(response["Allow"] == "GET, HEAD, OPTIONS")
        #expect(response["Content-Length"] == "0")
        #expect(try fetch("OPTIONS", "/anything/x")["Allow"] == "DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT, TRACE")
    }

    @Test("keeps connections alive, also with pipelined requests")
    func keepAlive() throws {
        let client = try SocketClient(port: server.port)
        for number in 0..<20 {
            #expect(
                try client.exchange("POST", "/post?n=\(number)", content: "b\(number)").text("data") == "b\(number)"
            )
        }
        let requests = (0..<10).map { "GET /get?n=\($0) HTTP/1.1\r\nHost: x\r\n\r\n" }
        try client.send(requests.joined())
        for number in 0..<10 { #expect(try client.readResponse().text("args.n") == "\(number)") }
        #expect(server.connectionCount == 1)
        #expect(Set(server.log.requests.map(\.remotePort)) == [client.localPort])
    }

    @Test("closes the connection when asked to")
    func close() throws {
        let client = try SocketClient(port: server.port)
        let response = try client.exchange("GET", "/get", [("Connection", "close")])
        #expect(response["Connection"] == "close")
        #expect(try client.readToEnd().isEmpty)
    }

    @Test("speaks HTTP/1.0")
    func http1_0() throws {
        let client = try SocketClient(port: server.port)
        try client.send("GET /stream/2 HTTP/1.0\r\n\r\n")
        let response = try client.readResponse()
        #expect(response["Transfer-Encoding"] == nil)
        #expect(response["Connection"] == "close")
        #expect(response.text.split(separator: "\n").count == 2)
        let kept = try SocketClient(port: server.port)
        for _ in 0..<2 {
            try kept.send("GET /get HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
            #expect(try kept.readResponse()["Connection"] == "keep-alive")
        }
    }

    @Test("sends 100 Continue to a client that expects it")
    func expectContinue() throws {
        let client = try SocketClient(port: server.port)
        try client.send("PUT /put HTTP/1.1\r\nHost: x\r\nExpect: 100-Continue\r\nContent-Length: 5\r\n\r\n")
        #expect(try client.readResponse().status == 100)
        try client.send("hello")
        #expect(try client.readResponse().text("data") == "hello")
    }

    @Test("reads chunked content")
    func chunkedContent() throws {
        let client = try SocketClient(port: server.port)
        try client.send("POST /post HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: Chunked\r\n\r\n")
        try client.send("5;a=b\r\nhello\r\n1\r\n!\r\n0\r\nX-Trailer: 1\r\n\r\n")
        #expect(try client.readResponse().text("data") == "hello!")
        #expect(try client.exchange("GET", "/get").status == 200)
    }

    @Test("accepts content of 64 MiB, by length and chunked")
    func largeContent() throws {
        server.route("POST", "/size") { .text("\($0.content.count)") }
        let piece = [UInt8](repeating: 120, count: 1_048_576)
        let client = try SocketClient(port: server.port)
        try client.send("POST /size HTTP/1.1\r\nHost: x\r\nContent-Length: \(piece.count * 64)\r\n\r\n")
        for _ in 0..<64 { try client.send(piece) }
        #expect(try client.readResponse().text == "67108864")
        try client.send("POST /size HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
        for _ in 0..<64 { try client.send(Array("100000\r\n".utf8) + piece + Array("\r\n".utf8)) }
        try client.send("0\r\n\r\n")
        #expect(try client.readResponse().text == "67108864")
    }

    @Test(
        "rejects what is not HTTP, and closes the connection",
        arguments: [
            ("\u{16}", 400), ("\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}\u{0}\u{1}", 400),
            ("GET /get HTTP/1.1\r\n\r\n", 400), ("GET /get\r\nHost: x\r\n\r\n", 400),
            ("GET  /get HTTP/1.1\r\nHost: x\r\n\r\n", 400),
            ("GET /get HTTP/2.0\r\nHost: x\r\n\r\n", 505), ("GET /get HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n", 400),
            ("GET /get HTTP/1.1\r\nHost: x\r\nA b: c\r\n\r\n", 400),
            ("GET /get HTTP/1.1\r\nHost: x\r\n folded\r\n\r\n", 400),
            ("POST /post HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n", 400),
            ("POST /post HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", 400),
            ("POST /post HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999999999999\r\n\r\n", 400),
            ("POST /post HTTP/1.1\r\nHost: x\r\nContent-Length: 9999999999\r\n\r\n", 413),
            ("POST /post HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
            ("POST /post HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\n\r\n", 501),
            ("POST /post HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", 400),
            ("POST /post HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n7fffffffffffffff\r\n", 413),
            ("POST /post HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n", 400),
            ("GET /\(String(repeating: "x", count: 300_000)) HTTP/1.1\r\n\r\n", 431), ("\u{0}\u{1}\r\n\r\n", 400),
        ]
    )
    func malformed(bytes: String, status: Int) throws {
        let client = try SocketClient(port: server.port)
        try client.send(bytes)
        let response = try client.readResponse()
        #expect(response.status == status)
        #expect(response["Connection"] == "close")
        #expect(try client.readToEnd().isEmpty)
        #expect(server.log.count == 0)
    }

    @Test("records requests in the order of arrival")
    func record() throws {
        let before = Date()
        let client = try SocketClient(port: server.port)
        _ = try client.exchange(
            "POST",
            "/anything/a%20b?x=1&y=%2B&x=2",
            [("b", "1"), ("A", "2"), ("B", "3")],
            content: "body"
        )
        _ = try fetch("GET", "/get")
        #expect(server.log.requests.map(\.path) == ["/anything/a%20b", "/get"])
        let first = try #require(server.log.requests.first)
        #expect(first.method == "POST")
        #expect(first.target == "/anything/a%20b?x=1&y=%2B&x=2")
        #expect(first.queryItems.map { "\($0.name)=\($0.value)" } == ["x=1", "y=+", "x=2"])
        #expect(first.headers.map(\.name) == ["Host", "b", "A", "B", "Content-Length"])
        #expect(first.values(of: "b") == ["1", "3"])
        #expect(first.text == "body")
        #expect(first.remoteAddress == "127.0.0.1")
        #expect(first.remotePort == client.localPort)
        #expect(first.time >= before.addingTimeInterval(-1))
        #expect(first.time <= Date().addingTimeInterval(1))
        #expect(server.log.count(path: "/get") == 1)
        #expect(server.log.connectionCount == 2)
        server.log.clear()
        #expect(server.log.count == 0)
    }

    @Test("stops, and refuses connections afterwards")
    func stop() async throws {
        let isRefused = try await refusesConnections {
            let server = try LoopbackServer { server in
                server.route("GET", "/late") { _ in .text("late").delayed(.seconds(3_600)) }
            }
            let client = try SocketClient(port: server.port)
            _ = try client.exchange("GET", "/get")
            try client.send("GET /late HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(try await server.takeRequest().path == "/get")
            #expect(try await server.takeRequest().path == "/late")
            await server.stop()
            #expect((try? client.readToEnd())?.isEmpty ?? true)
            try await until { server.openConnectionCount == 0 }
            return server.port
        }
        #expect(isRefused)
    }

    @Test("stops when it is released")
    func release() async throws {
        let isRefused = try await refusesConnections {
            var server: LoopbackServer? = try LoopbackServer()
            let port = try #require(server?.port)
            let client = try SocketClient(port: port)
            _ = try client.exchange("GET", "/get")
            server = nil
            #expect((try? client.readToEnd())?.isEmpty ?? true)
            return port
        }
        #expect(isRefused)
    }

    @Test("serves three hundred kept-alive connections simultaneously")
    func manyConnections() throws {
        for _ in 0..<3 {
            let server = try LoopbackServer()
            let clients = try (0..<300).map { _ in try SocketClient(port: server.port) }
            for round in 0..<5 {
                for (number, client) in clients.enumerated() {
                    try client.send("GET /get?n=\(number)-\(round) HTTP/1.1\r\nHost: x\r\n\r\n")
                }
                for (number, client) in clients.enumerated() {
                    #expect(try client.readResponse().text("args.n") == "\(number)-\(round)")
                }
            }
            #expect(server.connectionCount == 300)
            #expect(server.openConnectionCount == 300)
            #expect(server.log.count == 1_500)
        }
    }
}
