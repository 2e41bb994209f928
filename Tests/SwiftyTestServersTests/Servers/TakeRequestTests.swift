// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTestServers
import TestSupport
import Testing

@Suite("Taking the next request", .timeLimit(.minutes(15)))
struct TakeRequestTests {
    @Test("returns each request once, in the order of arrival, and leaves it in the log")
    func order() async throws {
        let server = try LoopbackServer()
        let client = try SocketClient(port: server.port)
        for number in 0..<5 { _ = try client.exchange("POST", "/post?n=\(number)", content: "b") }
        for number in 0..<5 {
            let request = try await server.takeRequest()
            #expect(request.query("n") == "\(number)")
            #expect(request.text == "b")
        }
        #expect(server.log.count == 5)
    }

    @Test("waits for a request that has not arrived yet, in any number of tasks")
    func waiting() async throws {
        let server = try LoopbackServer()
        let takers = (0..<20).map { _ in Task { try await server.takeRequest().target } }
        let client = try SocketClient(port: server.port)
        for number in 0..<20 { _ = try client.exchange("GET", "/get?n=\(number)") }
        var targets: Set<String> = []
        for taker in takers { targets.insert(try await taker.value) }
        #expect(targets.count == 20)
    }

    @Test("fails with a description when no request arrives in time")
    func timeout() async throws {
        let server = try LoopbackServer()
        for timeout in [Duration.zero, .milliseconds(20)] {
            let error = await #expect(throws: RequestLog.TimeoutError.self) {
                _ = try await server.takeRequest(timeout: timeout)
            }
            #expect(error?.timeout == timeout)
            #expect(error?.description == "no request arrived within \(timeout), after 0 earlier ones")
        }
        let client = try SocketClient(port: server.port)
        _ = try client.exchange("GET", "/get")
        #expect(try await server.takeRequest().path == "/get")
    }

    @Test("ends when the task is cancelled, before and while it waits")
    func cancellation() async throws {
        let server = try LoopbackServer()
        let task = Task { _ = try await server.takeRequest(timeout: .seconds(600)) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        let late = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            _ = try await server.takeRequest(timeout: .seconds(600))
        }
        await #expect(throws: CancellationError.self) { try await late.value }
    }

    @Test("forgets requests that were cleared from the log")
    func cleared() async throws {
        let server = try LoopbackServer()
        let client = try SocketClient(port: server.port)
        _ = try client.exchange("GET", "/get?n=1")
        server.log.clear()
        _ = try client.exchange("GET", "/get?n=2")
        #expect(try await server.takeRequest().query("n") == "2")
        #expect(server.log.count == 1)
    }

    @Test("works on a scripted server, with the content if the step reads it")
    func scripted() async throws {
        let server = try ScriptedServer([.readRequest, .readHead, .readContent, .respond()])
        let client = try SocketClient(port: server.port)
        try client.send("POST /a HTTP/1.1\r\nContent-Length: 2\r\n\r\nok")
        #expect(try await server.takeRequest().text == "ok")
        try client.send("POST /b HTTP/1.1\r\nContent-Length: 2\r\n\r\n")
        let head = try await server.takeRequest()
        #expect(head.path == "/b")
        #expect(head.content.isEmpty)
        try client.send("ok")
        _ = try client.readLine()
        #expect(server.log.last?.text == "ok")
        await server.stop()
    }
}
