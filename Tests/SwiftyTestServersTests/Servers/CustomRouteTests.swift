// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyTestServers
import TestSupport
import Testing

@Suite("An added route", .timeLimit(.minutes(15)))
struct CustomRouteTests: LoopbackServerTesting {
    let server: LoopbackServer

    init() throws { server = try LoopbackServer() }

    private struct User: Codable, Equatable {
        var id: String
        var tags: [String] = []
    }

    @Test("has variables and responds with JSON")
    func variables() throws {
        server.route("GET", "/users/{id}") { .json(User(id: $0.pathVariables["id"] ?? "", tags: ["a/b"])) }
        let response = try fetch("GET", "/users/a%2Fb%20c")
        #expect(try JSONDecoder().decode(User.self, from: response.content) == User(id: "a/b c", tags: ["a/b"]))
        #expect(response["Content-Type"] == "application/json")
        #expect(try fetch("HEAD", "/users/1").status == 200)
        #expect(try fetch("DELETE", "/users/1")["Allow"] == "GET, HEAD, OPTIONS")
        #expect(try fetch("GET", "/users/").status == 404)
        #expect(try fetch("GET", "/users/1/x").status == 404)
    }

    @Test("wins over the built-in route, which keeps its other methods")
    func overBuiltIn() throws {
        server.route("GET", "/anything") { _ in .text("mine", status: 299) }
        #expect(try fetch("GET", "/anything").status == 299)
        #expect(try fetch("POST", "/anything", content: "x").text("data") == "x")
    }

    @Test("wins by literal segments first, then by age")
    func precedence() throws {
        server.route("GET", "/u/me") { _ in .text("me") }
        server.route("GET", "/u/{id}") { _ in .text("old") }
        server.route("GET", "/u/{id}") { _ in .text("new") }
        #expect(try fetch("GET", "/u/me").text == "me")
        #expect(try fetch("GET", "/u/x").text == "new")
    }

    @Test("may accept any method and any rest of a path")
    func wildcards() throws {
        server.route("*", "/files/*") { .text("\($0.method) \($0.pathVariables["*"] ?? "")") }
        #expect(try fetch("PROPFIND", "/files/a/b%20c").text == "PROPFIND a/b%20c")
        #expect(try fetch("GET", "/files/").text == "GET ")
    }

    @Test("turns a thrown error into a 500")
    func throwing() throws {
        server.route("GET", "/broken") { _ in throw CocoaError(.fileNoSuchFile) }
        #expect(try fetch("GET", "/broken").status == 500)
    }

    @Test("reads the request and chooses status, fields and delay")
    func fullResponse() throws {
        server.route("POST", "/users") { request in
            let user = try request.decode(User.self)
            return .json(user, status: 201).header("Location", "/users/\(user.id)").delayed(.milliseconds(50))
        }
        let start = ContinuousClock.now
        let response = try fetch("POST", "/users", content: #"{"id":"7","tags":[]}"#)
        #expect(ContinuousClock.now - start >= .milliseconds(50))
        #expect(response.status == 201)
        #expect(response["Location"] == "/users/7")
    }

    @Test("streams chunks with pauses")
    func chunks() throws {
        server.route("GET", "/events") { _ in
            .chunks([Data("a".utf8), Data(), Data("bc".utf8)], every: .milliseconds(30), type: "text/event-stream")
        }
        let response = try fetch("GET", "/events")
        #expect(response.chunks == [1, 2])
        #expect(response.text == "abc")
    }

    @Test("may suspend in many requests while the pool is blocked")
    func suspension() throws {
        let (arrivals, all) = (Counter(), Gate())
        server.route("GET", "/slow") { _ in
            if arrivals.increment() == 50 { all.open() }
            await all.wait()
            return .text("done")
        }
        let clients = try (0..<50).map { _ in try SocketClient(port: server.port) }
        for client in clients { try client.send("GET /slow HTTP/1.1\r\nHost: x\r\n\r\n") }
        for client in clients { #expect(try client.readResponse().text == "done") }
    }

    @Test("is cancelled when the server stops")
    func serverStop() async throws {
        let (cancellations, continuation) = AsyncStream.makeStream(of: Void.self)
        server.route("GET", "/forever") { _ in
            await untilCancelled()
            continuation.yield()
            return .status(200)
        }
        let client = try SocketClient(port: server.port)
        try client.send("GET /forever HTTP/1.1\r\nHost: x\r\n\r\n")
        _ = try await server.takeRequest()
        await server.stop()
        for await _ in cancellations { break }
    }

    @Test("is cancelled when the client leaves")
    func clientLeaves() async throws {
        let (cancellations, continuation) = AsyncStream.makeStream(of: Void.self)
        server.route("GET", "/forever") { _ in
            await untilCancelled()
            continuation.yield()
            return .status(200)
        }
        do {
            let client = try SocketClient(port: server.port)
            try client.send("GET /forever HTTP/1.1\r\nHost: x\r\n\r\n")
            _ = try await server.takeRequest()
        }
        for await _ in cancellations { break }
    }

    @Test("may break the connection at any point")
    func faults() throws {
        server.route("GET", "/close") { _ in .text("hello").failing(with: .close) }
        server.route("GET", "/reset") { _ in .text("hello").failing(with: .reset) }
        server.route("GET", "/cut") { _ in .text("hello").failing(with: .closeAfter(contentBytes: 3)) }
        server.route("GET", "/cut-chunk") { _ in
            .chunks([Data("abc".utf8), Data("de".utf8)]).failing(with: .closeAfter(contentBytes: 4))
        }
        server.route("GET", "/reset-late") { _ in .text("hello").failing(with: .resetAfter(contentBytes: 0)) }
        #expect(try bytes(of: "/close").isEmpty)
        #expect(throws: SocketClient.Failure.reset) { try bytes(of: "/reset") }
        #expect(try bytes(of: "/cut").hasSuffix("Content-Length: 5\r\n\r\nhel"))
        #expect(try bytes(of: "/cut-chunk").hasSuffix("chunked\r\n\r\n3\r\nabc\r\n1\r\nd\r\n"))
        #expect(throws: SocketClient.Failure.reset) { try bytes(of: "/reset-late") }
    }

    private func bytes(of target: String) throws -> String {
        let client = try SocketClient(port: server.port)
        try client.send("GET \(target) HTTP/1.1\r\nHost: x\r\n\r\n")
        return try client.readTextToEnd()
    }
}
