// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyTesting
import Testing

@Suite("A route of one's own")
struct CustomRouteTests: LoopbackServerTesting {
    let server: LoopbackServer

    init() throws { server = try LoopbackServer() }

    private struct User: Codable, Equatable {
        var id: String
        var tags: [String] = []
    }

    @Test func `has variables and answers JSON`() throws {
        server.route("GET", "/users/{id}") { .json(User(id: $0.pathVariables["id"] ?? "", tags: ["a/b"])) }
        let response = try fetch("GET", "/users/a%2Fb%20c")
        #expect(try JSONDecoder().decode(User.self, from: response.body) == User(id: "a/b c", tags: ["a/b"]))
        #expect(response["Content-Type"] == "application/json")
        #expect(try fetch("HEAD", "/users/1").status == 200)
        #expect(try fetch("DELETE", "/users/1")["Allow"] == "GET, HEAD, OPTIONS")
        #expect(try fetch("GET", "/users/").status == 404)
        #expect(try fetch("GET", "/users/1/x").status == 404)
    }

    @Test func `wins over the built-in one, which keeps its other methods`() throws {
        server.route("GET", "/anything") { _ in .text("mine", status: 299) }
        #expect(try fetch("GET", "/anything").status == 299)
        #expect(try fetch("POST", "/anything", body: "x").text("data") == "x")
    }

    @Test func `wins by literal segments first, and then by being newer`() throws {
        server.route("GET", "/u/me") { _ in .text("me") }
        server.route("GET", "/u/{id}") { _ in .text("old") }
        server.route("GET", "/u/{id}") { _ in .text("new") }
        #expect(try fetch("GET", "/u/me").text == "me")
        #expect(try fetch("GET", "/u/x").text == "new")
    }

    @Test func `may take any method and any rest of a path`() throws {
        server.route("*", "/files/*") { .text("\($0.method) \($0.pathVariables["*"] ?? "")") }
        #expect(try fetch("PROPFIND", "/files/a/b%20c").text == "PROPFIND a/b%20c")
        #expect(try fetch("GET", "/files/").text == "GET ")
    }

    @Test func `turns what it throws into a 500`() throws {
        server.route("GET", "/broken") { _ in throw CocoaError(.fileNoSuchFile) }
        #expect(try fetch("GET", "/broken").status == 500)
    }

    @Test func `reads the request and chooses status, headers and delay`() throws {
        server.route("POST", "/users") { request in
            let user = try request.decodeBody(User.self)
            return .json(user, status: 201).header("Location", "/users/\(user.id)").delayed(.milliseconds(50))
        }
        let start = ContinuousClock.now
        let response = try fetch("POST", "/users", body: #"{"id":"7","tags":[]}"#)
        #expect(ContinuousClock.now - start >= .milliseconds(50))
        #expect(response.status == 201)
        #expect(response["Location"] == "/users/7")
    }

    @Test func `streams chunks with pauses`() throws {
        server.route("GET", "/events") { _ in
            .chunks([Data("a".utf8), Data(), Data("bc".utf8)], every: .milliseconds(30), type: "text/event-stream")
        }
        let response = try fetch("GET", "/events")
        #expect(response.chunks == [1, 2])
        #expect(response.text == "abc")
    }

    @Test func `may suspend, many at a time, while the pool is blocked`() throws {
        server.route("GET", "/slow") { _ in
            try await Task.sleep(for: .milliseconds(100))
            return .text("done")
        }
        let clients = try (0..<50).map { _ in try SocketClient(port: server.port) }
        for client in clients { try client.send("GET /slow HTTP/1.1\r\nHost: x\r\n\r\n") }
        for client in clients { #expect(try client.readResponse().text == "done") }
    }

    @Test func `is cancelled when the server stops`() async throws {
        let (cancellations, continuation) = AsyncStream.makeStream(of: Void.self)
        server.route("GET", "/forever") { _ in
            try? await Task.sleep(for: .seconds(3_600))
            continuation.yield()
            return .status(200)
        }
        let client = try SocketClient(port: server.port)
        try client.send("GET /forever HTTP/1.1\r\nHost: x\r\n\r\n")
        while server.log.count == 0 { try await Task.sleep(for: .milliseconds(5)) }
        await server.stop()
        for await _ in cancellations { break }
    }

    @Test func `is cancelled when the client leaves`() async throws {
        let (cancellations, continuation) = AsyncStream.makeStream(of: Void.self)
        server.route("GET", "/forever") { _ in
            try? await Task.sleep(for: .seconds(3_600))
            continuation.yield()
            return .status(200)
        }
        do {
            let client = try SocketClient(port: server.port)
            try client.send("GET /forever HTTP/1.1\r\nHost: x\r\n\r\n")
            while server.log.count == 0 { try await Task.sleep(for: .milliseconds(5)) }
        }
        for await _ in cancellations { break }
    }

    @Test func `may break the connection at any point`() throws {
        server.route("GET", "/close") { _ in .text("hello").failing(with: .close) }
        server.route("GET", "/reset") { _ in .text("hello").failing(with: .reset) }
        server.route("GET", "/cut") { _ in .text("hello").failing(with: .closeAfter(bodyBytes: 3)) }
        server.route("GET", "/cut-chunk") { _ in
            .chunks([Data("abc".utf8), Data("de".utf8)]).failing(with: .closeAfter(bodyBytes: 4))
        }
        server.route("GET", "/reset-late") { _ in .text("hello").failing(with: .resetAfter(bodyBytes: 0)) }
        #expect(try bytes(of: "/close").isEmpty)
        #expect(throws: SocketClient.Failure.reset) { try bytes(of: "/reset") }
        #expect(try bytes(of: "/cut").hasSuffix("Content-Length: 5\r\n\r\nhel"))
        #expect(try bytes(of: "/cut-chunk").hasSuffix("chunked\r\n\r\n4\r\nabcd\r\n"))
        #expect(throws: SocketClient.Failure.reset) { try bytes(of: "/reset-late") }
    }

    private func bytes(of target: String) throws -> String {
        let client = try SocketClient(port: server.port)
        try client.send("GET \(target) HTTP/1.1\r\nHost: x\r\n\r\n")
        return try client.readTextToEnd()
    }
}
