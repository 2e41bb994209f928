// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyTestServers
import SwiftyTransport
import Testing

@testable import SwiftyCurl

@Suite("A server that says how long it keeps a connection", .timeLimit(.minutes(15)))
struct KeepAliveTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let field: String
        /// What is understood.
        var timeout: Int?
        var max: Int?

        var testDescription: String { field }
    }

    static let cases = [
        Case(field: "timeout=5", timeout: 5),
        Case(field: "timeout=5, max=99", timeout: 5, max: 99),
        Case(field: "max=99,timeout=5", timeout: 5, max: 99),
        Case(field: " Timeout = 60 ,\tMAX=1", timeout: 60, max: 1),
        Case(field: "timeout=\"5\"", timeout: 5),
        Case(field: "timeout=0", timeout: 0),
        Case(field: "timeout=5, timeout=7", timeout: 7),
        Case(field: "300"),
        Case(field: ""),
        Case(field: "timeout"),
        Case(field: "timeout="),
        Case(field: "timeout=five, max=-1"),
        Case(field: "timeout=1.5"),
        Case(field: "timeout=99999999999999999999"),
        Case(field: "timeout==5, max=3", max: 3),
        Case(field: "header=5, other"),
    ]

    @Test("is understood as far as it writes numbers", arguments: cases)
    func hint(_ expected: Case) {
        var hint = KeepAliveHint()
        var field = Array(expected.field.utf8)
        field.withUnsafeMutableBufferPointer { hint.note(UnsafeBufferPointer($0)[...]) }
        #expect(hint.timeout == expected.timeout)
        #expect(hint.max == expected.max)
    }

    /// Sends a GET, waits, and sends a POST. Returns the number of connections.
    private func connections(_ field: String, pause: Duration = .zero, requests: Int = 2) async throws -> Int {
        let respond = ScriptedServer.Step.respond(200, [("Keep-Alive", field)], content: "ok")
        let server = try ScriptedServer(perConnection: { _ in
            (0..<requests).flatMap { _ in [.readRequest, respond] } + [.stall]
        })
        let transport = CurlTransport()
        for index in 0..<requests {
            if index == 1 { try await Task.sleep(for: pause) }
            let request = try NetworkRequest.to(
                "\(server.url)/\(index)",
                method: index == 0 ? .get : .post,
                content: index == 0 ? nil : Data("x".utf8)
            )
            #expect(try await transport.load(request).text == "ok")
        }
        await transport.shutdown()
        return server.connectionCount
    }

    @Test("has no request on a connection that it is about to close")
    func timeout() async throws {
        #expect(try await connections("timeout=1", pause: .seconds(2)) == 2)
        #expect(try await connections("timeout=3", pause: .seconds(3)) == 2)
        #expect(try await connections("timeout=0") == 2)
        #expect(try await connections("timeout=100") == 1)
        #expect(try await connections("timeout=x") == 1)
    }

    /// Streams a response that does not fit into the reader's memory, reads it three seconds later, and sends a POST.
    /// Returns the number of connections.
    private func connectionsWithSlowReader(_ field: String) async throws -> Int {
        let content = [UInt8](repeating: 1, count: 1_200_000)
        let head = "HTTP/1.1 200 OK\r\nKeep-Alive: \(field)\r\nContent-Length: \(content.count)\r\n\r\n"
        let respond = ScriptedServer.Step.respond(200, content: "ok")
        let server = try ScriptedServer(perConnection: { number in
            (number == 0 ? [.readRequest, .send(head), .send(content)] : []) + [.readRequest, respond, .stall]
        })
        let transport = CurlTransport()
        let request = try NetworkRequest.to("\(server.url)/0")
        let response = try await transport.stream(request, cancellation: LoadCancellation())
        try await Task.sleep(for: .seconds(3))
        var count = 0
        while let part = try await response.content.next() { count += part.count }
        #expect(count == content.count)
        let next = try NetworkRequest.to("\(server.url)/1", method: .post, content: Data("x".utf8))
        #expect(try await transport.load(next).text == "ok")
        await transport.shutdown()
        return server.connectionCount
    }

    @Test("counts from the end of its response, not from the time at which a slow reader has it")
    func slowReader() async throws {
        #expect(try await connectionsWithSlowReader("timeout=100") == 1)
        // The end of the response may be in the server's socket until the reader continues; then the time begins there.
        for _ in 0..<5 where try await connectionsWithSlowReader("timeout=2") == 2 { return }
        Issue.record("a connection was used that its server was about to close")
    }

    @Test("has no more requests than it takes")
    func count() async throws {
        #expect(try await connections("max=0", requests: 3) == 3)
        #expect(try await connections("timeout=100, max=1", requests: 4) == 2)
        #expect(try await connections("max=100", requests: 4) == 1)
    }
}
