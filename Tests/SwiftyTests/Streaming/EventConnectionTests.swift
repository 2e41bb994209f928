// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyTestServers
import TestSupport
import Testing

@Suite("An event stream from a server", .timeLimit(.minutes(15)))
struct EventConnectionTests {
    private static let type = "text/event-stream; charset=utf-8"

    private func resource(_ url: String) -> NetworkResource {
        BaseResource(url, networkInterface: Swifty()).get("events")
    }

    private func events(_ text: String) -> LoopbackResponse {
        .chunks([Data(text.utf8)], type: Self.type)
    }

    @Test("connects again after its end, a cut and an error of the server, until a 204")
    func reconnection() async throws {
        let count = Counter()
        let server = try LoopbackServer { server in
            server.route("GET", "/events") { _ in
                switch count.increment() {
                case 1: events("retry: 10\nid: 1\ndata: a\n\n")
                case 2:
                    .data(Data("id: 2\ndata: b\n\nid: 3\ndata: c\n\n".utf8), type: Self.type)
                        .failing(with: .closeAfter(contentBytes: 24))
                case 3: .status(503)
                case 4: .status(503).failing(with: .reset)
                case 5: events(": nothing new\n\n")
                case 6: events("data: d\n\n")
                default: .status(204)
                }
            }
        }
        var received: [ServerSentEvent] = []
        let policy = EventPolicy(minimumDelay: .zero)
        for try await event in resource(server.url).events(policy: policy) { received.append(event) }
        #expect(received.map(\.data) == ["a", "b", "d"])
        #expect(received.map(\.id) == ["1", "2", "2"])
        #expect(received.map(\.retry) == [.milliseconds(10), nil, nil])
        #expect(server.log.requests.map { $0["Last-Event-ID"] } == [nil, "1", "2", "2", "2", "2", "2"])
        #expect(server.log.requests.allSatisfy { $0["Accept"] == "text/event-stream" })
        #expect(server.log.requests.allSatisfy { $0["Cache-Control"] == "no-store" })
    }

    @Test("is not connected again if the request's content can be read only once", arguments: [false, true])
    func contentOnce(isCut: Bool) async throws {
        let server = try LoopbackServer { server in
            server.route("PUT", "/events") { _ in
                let events = LoopbackResponse.data(Data("retry: 1\ndata: a\n\ndata: b\n\n".utf8), type: Self.type)
                return isCut ? events.failing(with: .closeAfter(contentBytes: 20)) : events
            }
        }
        let resource = BaseResource(server.url, networkInterface: Swifty()).put("events")
            .stream(isReplayable: false) { writer in try await writer.write("question") }
        var received: [String] = []
        do {
            for try await event in resource.events(policy: EventPolicy(minimumDelay: .zero)) {
                received.append(event.data)
            }
            #expect(!isCut)
        } catch {
            #expect(isCut)
            #expect(error.code != .contentNotReplayable, "\(error)")
        }
        #expect(received == (isCut ? ["a"] : ["a", "b"]))
        #expect(server.log.requests.map(\.text) == ["question"])
    }

    @Test("gives each event as it arrives, and ends with the loop")
    func promptness() async throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
        let server = try ScriptedServer([.readRequest, .send(head + "b\r\n\ndata: ab\n\n\r\n5\r\ndata:"), .stall])
        for try await event in resource(server.url).events() {
            #expect(event.data == "ab")
            break
        }
        try await until { server.openConnectionCount == 0 }
        #expect(server.connectionCount == 1)
    }

    @Test("connects again after a silence, which comments interrupt")
    func silence() async throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: 9999\r\n\r\nretry: 1\n\n"
        // A busy machine may be silent for longer than the limit.
        for limit in [Duration.seconds(1), .seconds(5), .seconds(30)] {
            let comments = Array(repeating: [ScriptedServer.Step.pause(limit / 5), .send(":\n")], count: 10)
            let server = try ScriptedServer { connection in
                connection == 0
                    ? [.readRequest, .send(head)] + comments.joined() + [.send("data: a\n\n"), .stall]
                    : [.readRequest, .respond(204)]
            }
            var received: [String] = []
            let resource = resource(server.url).timeout(idle: limit)
            for try await event in resource.events() { received.append(event.data) }
            if received == ["a"], server.connectionCount == 2 { return }
        }
        Issue.record("the comments did not interrupt the silence")
    }

    @Test("ends at the total time limit, of the request for all connections, of the configuration for one")
    func totalLimit() async throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: 9999\r\n\r\nretry: 1\n\n"
        let server = try ScriptedServer([.readRequest, .send(head + "data: a\n\n"), .stall])
        // A busy machine needs longer for a second connection.
        for seconds in [2, 10, 60] where server.connectionCount < 2 {
            let limited = resource(server.url).timeout(.seconds(seconds)).timeout(idle: .milliseconds(300))
            let error = await #expect(throws: SwiftyError.self) {
                for try await event in limited.events() { #expect(event.data == "a") }
            }
            #expect(error?.timeLimit == .total)
            let reason = "the event stream took longer than \(seconds).0 seconds"
            #expect(error?.reason.hasPrefix(reason) == true, "\(error as Any)")
        }
        #expect(server.connectionCount > 1)

        let before = server.connectionCount
        let swifty = Swifty { $0.timeouts.total = .seconds(1) }
        let other = await #expect(throws: SwiftyError.self) {
            for try await _ in BaseResource(server.url, networkInterface: swifty).get("events").events() {}
        }
        #expect(other?.timeLimit == .total)
        #expect(server.connectionCount == before + 1)
    }

    @Test("of another media type is refused, and its connection closed")
    func mediaType() async throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 9999\r\n\r\n<html>"
        let server = try ScriptedServer([.readRequest, .send(head), .stall])
        let error = await #expect(throws: SwiftyError.self) { for try await _ in resource(server.url).events() {} }
        #expect(error?.code == .malformedResponse)
        #expect(error?.statusCode == 200)
        try await until { server.openConnectionCount == 0 }
        #expect(server.connectionCount == 1)
    }

    @Test("of a POST is not repeated, and a cut one is an error")
    func post() async throws {
        let server = try LoopbackServer { server in
            server.route("POST", "/chat") { request in
                request.text == "cut"
                    ? .data(Data("data: 1\n\ndata: 2\n\n".utf8), type: Self.type).failing(
                        with: .closeAfter(contentBytes: 10)
                    )
                    : events("data: 1\n\ndata: 2\n\ndata: [DONE]\n\ndata: x\n\n")
            }
        }
        let chat = BaseResource(server.url, networkInterface: Swifty()).post("chat")
        var received: [Int] = []
        for try await delta in chat.copy().text("whole").events(Int.self, policy: EventPolicy(endsAt: "[DONE]")) {
            received.append(delta)
        }
        #expect(received == [1, 2])
        let error = await #expect(throws: SwiftyError.self) {
            for try await delta in chat.text("cut").events(Int.self) { received.append(delta) }
        }
        #expect(error?.code == .connectionLost)
        #expect(received == [1, 2, 1])
        #expect(server.log.count == 2)
    }

    @Test("that cannot be reached fails after the last attempt")
    func unreachable() async throws {
        let server = try ScriptedServer([.readRequest, .reset])
        let policy = EventPolicy(initialDelay: .milliseconds(1), maximumAttempts: 3)
        let error = await #expect(throws: SwiftyError.self) {
            for try await _ in resource(server.url).events(policy: policy) {}
        }
        #expect(error?.code == .connectionLost)
        #expect(server.log.count >= 3)
    }
}
