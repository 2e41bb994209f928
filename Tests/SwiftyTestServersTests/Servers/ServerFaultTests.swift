// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyTestServers
import TestSupport
import Testing

@Suite("A fault that a server is told", .timeLimit(.minutes(10)))
struct ServerFaultTests {
    private let server: LoopbackServer
    private let base: BaseResource

    init() throws {
        server = try LoopbackServer { server in
            server.route("*", "/echo") { .data($0.content) }
            server.route("GET", "/hello") { _ in .text("hello") }
        }
        base = BaseResource(server.url, networkInterface: Swifty(transport: TransportSettings()))
    }

    private func failure(_ resource: NetworkResource) async -> SwiftyError? {
        await #expect(throws: SwiftyError.self) { try await resource.load() }
    }

    private func bytes(_ request: String, _ server: LoopbackServer? = nil) throws -> String {
        let client = try SocketClient(port: (server ?? self.server).port)
        try client.send(request)
        return try client.readTextToEnd()
    }

    private let hello = "GET /hello HTTP/1.1\r\nHost: x\r\n\r\n"

    @Test("ends a new connection before anything is read, and only as many as it says")
    func connections() async throws {
        server.failNext(.connection(.close), count: 2)
        #expect(try SocketClient(port: server.port).readToEnd().isEmpty)
        let closed = await failure(base.post("echo").data(Data("x".utf8), contentType: "x/y"))
        #expect(closed?.code == .connectionLost, "\(closed as Any)")
        #expect(try await base.get("hello").load().string == "hello")
        #expect(server.log.count == 1)
        #expect(server.pendingFaults.isEmpty)

        server.failNext(.connection(.reset))
        #expect(throws: SocketClient.Failure.reset) {
            let client = try SocketClient(port: server.port)
            try client.send(hello)
            _ = try client.readToEnd()
            _ = try client.readToEnd()
        }
        server.failNext(.response(.closeAtEnd))
        #expect(try await base.get("hello").load().string == "hello")
        try await until { server.openConnectionCount == 0 }
        server.failNext(.connection(.stall))
        let stalled = await failure(base.get("hello").timeout(total: .milliseconds(300)))
        #expect(stalled?.code == .timedOut)
        #expect(server.log.count == 2)
    }

    @Test("ends a connection while the content of a request arrives", arguments: [false, true])
    func requests(_ isChunked: Bool) async throws {
        for (ending, code) in [
            (LoopbackServer.Ending.close, SwiftyError.Code.connectionLost), (.reset, .connectionLost),
            (.stall, .timedOut),
        ] {
            server.failNext(.request(afterContentBytes: 1_000, ending), path: "/echo")
            let content = Data(count: 8_000_000)
            let upload = base.post("echo").data(content, contentType: "x/y")
            if isChunked { upload.stream { writer in try await writer.write(content) } }
            // Not of the whole call: on a slow machine that might end before the request arrives.
            let error = await failure(upload.timeout(total: .seconds(60), idle: .seconds(2)))
            #expect(error?.code == code, "\(error as Any)")
            #expect(error?.sent == .maybeSent)
            let read = try #require(server.log.last?.content.count)
            #expect(read >= 1_000 && read < content.count)
        }
        #expect(server.log.count == 3)
    }

    @Test("ends a connection after the head of a request, without consent to its content")
    func head() throws {
        server.failNext(.request(.close))
        let request = "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n"
        #expect(try bytes(request).isEmpty)
        #expect(server.log.last?.content.isEmpty == true)
    }

    @Test("waits for the path that it is for")
    func paths() async throws {
        server.failNext(.response(.closeAfter(contentBytes: 2)), path: "/hello")
        server.failNext(.response(.close), path: "/echo")
        #expect(try await base.get("ip").load().statusCode == 200)
        #expect(await failure(base.post("echo"))?.code == .connectionLost)
        let cut = await failure(base.get("hello").query(["a": 1]))
        #expect(cut?.code == .connectionLost)
        #expect(try await base.get("hello").load().string == "hello")
        server.failNext(.response(.close), count: 3)
        #expect(server.pendingFaults.count == 3)
        server.removePendingFaults()
        #expect(try await base.get("hello").load().string == "hello")
    }

    @Test("closes a connection behind a complete response, so that the next request needs another one")
    func closeAtEnd() async throws {
        server.failNext(.response(.closeAtEnd))
        #expect(try bytes(hello).hasSuffix("Content-Length: 5\r\n\r\nhello"))
        server.failNext(.response(.closeAtEnd), count: 2)
        for _ in 0..<3 { #expect(try await base.post("echo").load().statusCode == 200) }
        #expect(server.log.count == 4)
        #expect(server.connectionCount == 4)
    }

    @Test("ends its own direction behind a response, and reads on")
    func halfClose() async throws {
        server.failNext(.response(.halfCloseAtEnd))
        let client = try SocketClient(port: server.port)
        try client.send(hello)
        #expect(try client.readTextToEnd().hasSuffix("hello"))
        try client.send(hello)
        try client.send("POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nok")
        _ = try await server.takeRequest()
        _ = try await server.takeRequest()
        #expect(try await server.takeRequest().text == "ok")
        #expect(try client.readToEnd().isEmpty)
    }

    @Test("breaks the framing of a response", arguments: LoopbackResponse.BadFraming.allCases)
    func framing(_ framing: LoopbackResponse.BadFraming) async throws {
        for path in ["hello", "empty", "stream"] {
            server.route("GET", "/empty") { _ in .text("") }
            server.route("GET", "/stream") { _ in .chunks([Data("ab".utf8), Data("cd".utf8)]) }
            server.failNext(.response(.badFraming(framing)))
            do throws(SwiftyError) {
                let response = try await base.get(path).load()
                // The byte too many is not part of the response; its connection is not used again.
                #expect(framing == .lengthTooSmall)
                #expect(response.data?.count ?? 0 == ["hello": 4, "empty": 0, "stream": 3][path])
            } catch {
                #expect(error.code == .malformedResponse || error.code == .connectionLost, "\(error)")
            }
            #expect(try await base.get("hello").load().string == "hello")
        }
        server.failNext(.response(.badFraming(framing)))
        #expect(try bytes(hello).hasPrefix("HTTP/1.1 200 OK\r\n"))
    }

    @Test("sends any bytes in place of a response")
    func raw() async throws {
        server.route("GET", "/raw") { _ in .raw("HTTP/1.1 200 OK\r\n Folded: first\r\n\r\n") }
        server.route("GET", "/slow") { _ in .raw(Array(repeating: 0x41, count: 10)).slow(bytesPerSecond: 50) }
        server.route("GET", "/reset") { _ in .raw("HTTP/1.1 200").failing(with: .reset) }
        #expect(try bytes("GET /raw HTTP/1.1\r\nHost: x\r\n\r\n") == "HTTP/1.1 200 OK\r\n Folded: first\r\n\r\n")
        #expect(await failure(base.get("raw"))?.code == .malformedResponse)
        let start = ContinuousClock.now
        #expect(try bytes("GET /slow HTTP/1.1\r\nHost: x\r\n\r\n") == "AAAAAAAAAA")
        #expect(ContinuousClock.now - start >= .milliseconds(100))
        #expect(await failure(base.get("reset"))?.code == .connectionLost)
    }

    @Test("ends handshakes of a server with TLS, and connections before them")
    func handshakes() async throws {
        let authority = try TestAuthority()
        let server = try LoopbackServer(tls: authority.server())
        var settings = TransportSettings()
        settings.tls.trust = .pem(authority.pem)
        let base = BaseResource(server.url, networkInterface: Swifty(transport: settings))
        server.failNext(.handshake(.alert))
        server.failNext(.connection(.reset))
        server.failNext(.response(.resetAfter(contentBytes: 2)), path: "/bytes/100")
        for _ in 0..<2 {
            let error = await failure(base.get("ip"))
            #expect(error?.sent == .notSent, "\(error as Any)")
        }
        #expect(try await base.get("ip").load().statusCode == 200)
        #expect(await failure(base.get("bytes/100"))?.code == .connectionLost)
        server.failNext(.response(.halfCloseAtEnd))
        for _ in 0..<2 { #expect(try await base.get("ip").load().statusCode == 200) }
        #expect(server.pendingFaults.isEmpty)
    }

    @Test("is for one connection each, when many arrive at once")
    func concurrency() async throws {
        server.failNext(.response(.close), count: 20)
        let outcomes = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<60 {
                group.addTask { (try? await base.post("echo").load()) != nil }
            }
            return await group.reduce(into: [Bool: Int]()) { $0[$1, default: 0] += 1 }
        }
        #expect(outcomes == [true: 40, false: 20])
    }

    @Test("is not needed for the latency and the rate of all responses")
    func conditions() async throws {
        server.latency = .milliseconds(200)
        let clock = ContinuousClock()
        #expect(try await clock.measure { _ = try await base.get("hello").load() } >= .milliseconds(200))
        server.latency = .zero
        server.bytesPerSecond = 10_000
        for path in ["bytes/5000", "stream-bytes/5000"] {
            let duration = try await clock.measure {
                let response = try await base.get(path).load()
                #expect(response.data?.count == 5_000)
            }
            #expect(duration >= .milliseconds(350), "\(path)")
        }
        server.bytesPerSecond = nil
        #expect(server.latency == .zero && server.bytesPerSecond == nil)
        #expect(try await base.get("hello").load().string == "hello")
    }
}
