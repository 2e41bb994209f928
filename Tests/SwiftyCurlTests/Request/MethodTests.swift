// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyCurl
import SwiftyTestServers
import SwiftyTransport
import Testing

@Suite("Methods and bodies", .timeLimit(.minutes(15)))
struct MethodTests {
    private let transport = CurlTransport()

    @Test("a GET is sent without content and its response is returned whole")
    func get() async throws {
        let server = try ScriptedServer([.readRequest, .respond(200, [("X-A", "1")], content: "hello")])
        let response = try await transport.get("\(server.url)/path/..a?b=/../c")
        #expect(response.head.statusCode == 200)
        #expect(response.head.reasonPhrase == "Scripted")
        #expect(response.head.httpVersion == .http1_1)
        #expect(response.text == "hello")
        let request = try #require(server.log.requests.first)
        #expect(request.method == "GET")
        #expect(request.target == "/path/..a?b=/../c")
        #expect(request["Content-Length"] == nil)
        #expect(request["Content-Type"] == nil)
        #expect(request["Accept-Encoding"] == nil)
    }

    @Test("the response to a HEAD has no content, whatever length it announces")
    func head() async throws {
        let server = try ScriptedServer([
            .readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 999999999\r\n\r\n"), .readRequest, .respond(204),
        ])
        let response = try await transport.load(.to(server.url, method: .head))
        #expect(response.content.isEmpty)
        #expect(response.head.headers[.contentLength] == "999999999")
        #expect(try await transport.get(server.url).head.statusCode == 204)
        #expect(server.log.requests.map(\.method) == ["HEAD", "GET"])
        #expect(server.connectionCount == 1)
    }

    @Test("any method may have content", arguments: ["POST", "PUT", "PATCH", "DELETE", "GET", "QUERY", "OPTIONS"])
    func methodWithBody(_ name: String) async throws {
        let server = try ScriptedServer([.readRequest, .respond(200, content: "ok")])
        let method = try #require(HTTPRequest.Method(name))
        let response = try await transport.load(.to(server.url, method: method, content: Data("a=b".utf8)))
        #expect(response.text == "ok")
        let request = try #require(server.log.requests.first)
        #expect(request.method == name)
        #expect(request.text == "a=b")
        #expect(request["Content-Length"] == "3")
        #expect(request["Content-Type"] == nil)
        #expect(request["Expect"] == nil)
    }

    @Test("POST, PUT and PATCH without content say that it is empty", arguments: ["POST", "PUT", "PATCH"])
    func methodWithoutBody(_ name: String) async throws {
        let server = try ScriptedServer([.readRequest, .respond(200)])
        let method = try #require(HTTPRequest.Method(name))
        _ = try await transport.load(.to(server.url, method: method))
        #expect(server.log.requests.first?.method == name)
        #expect(server.log.requests.first?["Content-Length"] == "0")
        #expect(server.log.requests.first?["Content-Type"] == nil)
    }

    @Test("other methods without content send no length", arguments: ["DELETE", "OPTIONS", "QUERY", "head"])
    func otherMethodWithoutBody(_ name: String) async throws {
        let server = try ScriptedServer([.readRequest, .respond(200, content: "ok")])
        let method = try #require(HTTPRequest.Method(name))
        #expect(try await transport.load(.to(server.url, method: method)).text == "ok")
        #expect(server.log.requests.first?.method == name)
        #expect(server.log.requests.first?["Content-Length"] == nil)
    }

    @Test("a connection that carried one method carries every other one after it")
    func methodsAfterEachOther() async throws {
        let step: [ScriptedServer.Step] = [.readRequest, .respond(200, content: "")]
        let server = try ScriptedServer(Array(repeating: step, count: 7).flatMap { $0 })
        for (method, body) in [
            ("POST", "x"), ("HEAD", nil), ("GET", nil), ("PUT", "yy"), ("DELETE", nil), ("POST", nil), ("GET", nil),
        ] {
            let request = try NetworkRequest.to(
                server.url,
                method: #require(HTTPRequest.Method(method)),
                content: body.map { Data($0.utf8) }
            )
            _ = try await transport.load(request)
        }
        #expect(server.log.requests.map(\.method) == ["POST", "HEAD", "GET", "PUT", "DELETE", "POST", "GET"])
        let lengths = server.log.requests.map { $0["Content-Length"] }
        #expect(lengths == ["1", nil, nil, "2", nil, "0", nil])
        #expect(server.connectionCount == 1)
    }

    @Test("content of megabytes arrives unchanged", arguments: [0, 1, 15, 65_536, 65_537, 3_000_000])
    func largeContent(_ size: Int) async throws {
        let server = try ScriptedServer([.readRequest, .respond(200)])
        let body = Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) })
        let response = try await transport.load(.to(server.url, method: .put, content: body))
        #expect(response.head.statusCode == 200)
        #expect(response.metrics.requestContentBytes == size)
        let request = try #require(server.log.requests.first)
        #expect(Data(request.content) == body)
        #expect(request["Expect"] == (size > 1 << 20 ? "100-continue" : nil))
    }

    @Test("a slice of other data is sent from its own start", arguments: [1000, 200_000])
    func slicedContent(_ size: Int) async throws {
        let server = try ScriptedServer([.readRequest, .respond(200)])
        let whole = Data((0..<(size + 20)).map { UInt8(truncatingIfNeeded: $0) })
        _ = try await transport.load(.to(server.url, method: .post, content: whole[10..<(size + 10)]))
        #expect(Data(try #require(server.log.requests.first).content) == Data(whole[10..<(size + 10)]))
    }

    @Test("content with HEAD is rejected, and so is CONNECT")
    func refusedMethods() async throws {
        let head = try NetworkRequest.to("http://127.0.0.1:1", method: .head, content: Data("x".utf8))
        #expect(try await transport.failure(of: head).code == .contentNotAllowed)
        let connect = try NetworkRequest.to("http://127.0.0.1:1", method: .connect)
        let error = try await transport.failure(of: connect)
        #expect(error.code == .invalidMethod)
        #expect(error.sent == .notSent)
        #expect(error.request?.method == "CONNECT")
    }
}
