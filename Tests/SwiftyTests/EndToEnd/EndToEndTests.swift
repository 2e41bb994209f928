// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyCurl
import SwiftyTestServers
import TestSupport
import Testing

/// The whole way over real sockets, against the embedded server.
@Suite("An exchange", .timeLimit(.minutes(15)))
struct EndToEndTests {
    /// A server with a route that never responds.
    private func startHangingServer() async throws -> LoopbackServer {
        try LoopbackServer { server in
            server.route("GET", "/hang") { _ in
                try await hang()
                return .status(200)
            }
        }
    }

    struct Echo: Codable, Sendable {
        var method: String?
        var url: String
        var args: [String: String]
        var form: [String: String]?
        var files: [String: String]?
        var headers: [String: String]
        var data: String?
    }

    @Test("carries every kind of request as it was described")
    func requests() async throws {
        let server = try LoopbackServer { server in
            server.route("*", "/any") { request in
                .json(
                    Echo(method: request.method, url: request.target, args: [:], headers: [:], data: request.text)
                )
            }
        }
        let base = BaseResource(server.url, networkInterface: Swifty())
        let get = try await base.get("anything/{id}", ["id": "a/b ?"]).query(["q": "ü&=", "n": 1]).header(
            key: "X-A",
            value: "b"
        ).load(Echo.self)
        #expect(get.method == "GET")
        #expect(get.args == ["q": "ü&=", "n": "1"])
        #expect(get.headers["X-A"] == "b")
        #expect(server.log.last?.target == "/anything/a%2Fb%20%3F?n=1&q=%C3%BC%26%3D")
        let form = try await base.post("post").fields(["a": "1 +", "ü": "&"]).load(Echo.self)
        #expect(form.form == ["a": "1 +", "ü": "&"])
        let parts = try await base.put("anything").multipart(name: "title", value: "x\r\ny").multipart(
            name: "pic",
            data: Data("PNG".utf8),
            fileName: "a \"b\".png",
            contentType: "image/png"
        ).load(Echo.self)
        #expect(parts.form == ["title": "x\r\ny"])
        #expect(parts.files == ["pic": "PNG"])
        for (method, resource) in [
            ("PATCH", base.patch("anything")), ("DELETE", base.delete("anything")),
            ("REPORT", base.request("REPORT", "any")),
        ] {
            let echo = try await resource.text("tëxt").load(Echo.self)
            #expect(echo.method == method)
            #expect(echo.data == "tëxt")
        }
        let head = try await base.head("get").load()
        #expect(head.data == nil)
        #expect(head.statusCode == 200)
        let options = try await base.options("get").load()
        #expect(options.head?.headers[.allow]?.contains("GET") == true)
        let large = Data((0..<(3 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        let echoed = try await base.post("anything").data(large).load()
        #expect(server.log.last?.content == large)
        #expect(echoed.statusCode == 200)
    }

    @Test("reuses its connection, and measures its cost")
    func metrics() async throws {
        let server = try LoopbackServer()
        let transport = CurlTransport()
        let base = BaseResource(server.url, networkInterface: Swifty(transport: transport))
        let first = try #require(try await base.get("ip").load().metrics.transfer)
        let second = try #require(try await base.get("ip").load().metrics.transfer)
        #expect(!first.isConnectionReused)
        #expect(second.isConnectionReused)
        #expect(first.remoteAddress == "127.0.0.1")
        #expect(first.remotePort == server.port)
        #expect(first.httpVersion == .http1_1)
        #expect(first.connect > .zero)
        #expect(second.connect == .zero)
        #expect(second.firstByte > .zero)
        #expect(second.responseContentBytes > 0)
        #expect(second.responseHeaderBytes > 0)
        #expect(second.requestHeaderBytes > 0)
        #expect(server.connectionCount == 1)
        await transport.shutdown()
    }

    @Test("gives each of 500 simultaneous loads its own response")
    func concurrent() async throws {
        let server = try LoopbackServer()
        let base = BaseResource(server.url, networkInterface: Swifty())
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for index in 0..<500 {
                group.addTask {
                    try await base.get("get").query(["n": index]).load(Echo.self).args == ["n": "\(index)"]
                }
            }
            for try await isOwn in group { #expect(isOwn) }
        }
        #expect(server.log.count(path: "/get") == 500)
    }

    @Test("can be cancelled while it waits for the response, and others continue")
    func cancellation() async throws {
        let server = try await startHangingServer()
        let base = BaseResource(server.url, networkInterface: Swifty())
        let slow = Task { try await base.get("hang").load() }
        try await until { server.log.count(path: "/hang") == 1 }
        slow.cancel()
        let error = await #expect(throws: SwiftyError.self) { try await slow.value }
        #expect(error?.code == .cancelled)
        #expect(error?.sent == .maybeSent)
        _ = try await base.get("ip").load()
    }

    @Test("survives the release of the Swifty and of its transport's owner")
    func ownership() async throws {
        let server = try LoopbackServer()
        let transport = CurlTransport()
        func load() async throws -> NetworkResponse {
            try await BaseResource(server.url, networkInterface: Swifty(transport: transport)).get("ip").load()
        }
        for _ in 0..<3 { #expect(try await load().statusCode == 200) }
        #expect(server.connectionCount == 1)
        await transport.shutdown()
    }

    @Test("leaves nothing behind when the Swifty is shut down")
    func shutdown() async throws {
        let server = try await startHangingServer()
        let swifty = Swifty(transport: CurlTransport())
        let loads = (0..<20).map { _ in
            Task { try await BaseResource(server.url, networkInterface: swifty).get("hang").load() }
        }
        try await until { server.log.count(path: "/hang") == 20 }
        await swifty.shutdown()
        for load in loads {
            let error = await #expect(throws: SwiftyError.self) { try await load.value }
            #expect(error?.code == .shutdown)
        }
        try await until { server.openConnectionCount == 0 }
    }
}
