// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyCurl
import SwiftyTestServers
import SwiftyTransport
import TestSupport
import Testing

@Suite("Events of a transfer", .timeLimit(.minutes(15)))
struct EventTests {
    private let transport = CurlTransport()

    private func request(
        _ url: String,
        method: HTTPRequest.Method = .get,
        content: Data? = nil,
        _ recorder: EventRecorder
    ) throws -> NetworkRequest {
        var request = try NetworkRequest.to(url, method: method, content: content)
        request.onEvent = { recorder.record($0) }
        return request
    }

    @Test("come in order, on the loop's thread, and distinguish new and reused connections")
    func order() async throws {
        let exchange: [ScriptedServer.Step] = [
            .readRequest, .send("HTTP/1.1 103 Early Hints\r\nLink: <a>\r\n\r\n"), .respond(201, content: "ok"),
        ]
        let server = try ScriptedServer(exchange + exchange)
        let (first, second) = (EventRecorder(), EventRecorder())
        _ = try await transport.load(request(server.url, first))
        _ = try await transport.load(request(server.url, method: .post, content: Data("content".utf8), second))
        #expect(first.names == ["connected", "sent", "103", "201", "progress"])
        #expect(second.names.filter { $0 != "progress" } == ["reused", "sent", "103", "201"])
        #expect(second.events.last == .progress(sent: 7, received: 2))
        #expect(first.threadNames.count == 1)
        #expect(first.threadNames.allSatisfy { $0.hasPrefix("swifty-curl-") })
        #expect(second.threadNames == first.threadNames)
        guard case .connected(_, let connect, let tls, _) = first.events.first else { return }
        #expect(connect > .zero)
        #expect(tls == .zero)
    }

    @Test("of a request without any content have no progress", arguments: [HTTPRequest.Method.get, .head, .delete])
    func empty(method: HTTPRequest.Method) async throws {
        let server = try ScriptedServer([.readRequest, .send("HTTP/1.1 204 No Content\r\n\r\n")])
        let recorder = EventRecorder()
        _ = try await transport.load(request(server.url, method: method, recorder))
        #expect(recorder.names == ["connected", "sent", "204"])
    }

    @Test("report the end of the request before the server responds", arguments: [nil, 5, 3 << 20])
    func sentBeforeAnswer(size: Int?) async throws {
        let recorder = EventRecorder()
        let server = try LoopbackServer { server in
            server.route("POST", "/") { _ in
                try await until { recorder.names.contains("sent") }
                return .status(200)
            }
        }
        let request = try request(server.url, method: .post, content: size.map { Data(count: $0) }, recorder)
        _ = try await transport.load(request)
        // Large content waits for a 100 response.
        let expected = size ?? 0 > 1 << 20 ? ["connected", "100", "sent", "200"] : ["connected", "sent", "200"]
        #expect(recorder.names.filter { $0 != "progress" } == expected)
    }

    @Test("report progress in both directions, not too often, only forward, and its end")
    func progress() async throws {
        let size = 2 << 20
        let server = try ScriptedServer([.readRequest, .respond(200, content: String(repeating: "x", count: size))])
        let recorder = EventRecorder()
        let body = Data(count: size)
        _ = try await transport.load(request(server.url, method: .put, content: body, recorder))
        let progress = recorder.progress
        let last = try #require(progress.last)
        #expect(last.sent == size)
        #expect(last.received == size)
        #expect((4...200).contains(progress.count), "\(progress.count)")
        for (earlier, later) in zip(progress, progress.dropFirst()) {
            #expect(earlier.sent <= later.sent)
            #expect(earlier.received <= later.received)
            #expect(earlier.sent + earlier.received < later.sent + later.received)
        }
        let received = try #require(
            recorder.events.firstIndex { if case .progress(_, 1...) = $0 { true } else { false } }
        )
        let head = try #require(recorder.names.firstIndex(of: "200"))
        #expect(head < received)
        #expect(recorder.names.filter { $0 != "progress" } == ["connected", "sent", "200"])
    }

    @Test("report slow progress by time")
    func slowProgress() async throws {
        var script: [ScriptedServer.Step] = [.readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n")]
        // Progress is reported some time after the last report.
        for byte in ["a", "b", "c", "d"] { script += [.pause(.milliseconds(150)), .send(byte)] }
        let server = try ScriptedServer(script)
        let recorder = EventRecorder()
        _ = try await transport.load(request(server.url, recorder))
        #expect(recorder.events.contains(.responseHead(statusCode: 200, contentLength: 4)))
        let received = recorder.progress.map(\.received)
        #expect(received.count > 1)
        #expect(received.last == 4)
        #expect(received == received.sorted())
    }

    @Test("are reported once if the kept-alive connection was broken or stale")
    func replacedConnection() async throws {
        let endings: [[ScriptedServer.Step]] = [
            [.readRequest, .close], [.respond(408), .stall], [.pause(.milliseconds(200)), .close],
        ]
        for (index, ending) in endings.enumerated() {
            let server = try ScriptedServer { connection in
                connection == 0
                    ? [.readRequest, .respond(200, content: "one")] + ending
                    : [.readRequest, .respond(200, content: "two")]
            }
            let first = try await transport.get(server.url)
            #expect(first.text == "one")
            // The first one breaks at the next request.
            if index > 0 { try await OpenSockets.waitUntilStale(toPorts: [server.port]) }
            let recorder = EventRecorder()
            #expect(try await transport.load(request(server.url, recorder)).text == "two")
            #expect(recorder.names.dropFirst() == ["sent", "200", "progress"])
            #expect(["connected", "reused"].contains(recorder.names.first))
        }
    }

    @Test("stop where the transfer fails, and nothing is reported after its end")
    func failure() async throws {
        let server = try ScriptedServer([
            .readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nshort"), .close,
        ])
        let recorder = EventRecorder()
        _ = try await transport.failure(of: request(server.url, recorder))
        // Progress is reported by time: a slow machine may report it.
        #expect(recorder.names.filter { $0 != "progress" } == ["connected", "sent", "200"])
        let refused = EventRecorder()
        _ = try await transport.failure(of: request("http://127.0.0.1:1", refused))
        #expect(refused.events.isEmpty)
    }

    @Test("may cancel the load from inside")
    func cancelling() async throws {
        let server = try ScriptedServer([.readRequest, .stall])
        let cancellation = LoadCancellation()
        var request = try NetworkRequest.to(server.url)
        request.onEvent = { event in if event == .requestSent { cancellation.cancel() } }
        let error = try await transport.failure(of: request, cancellation: cancellation)
        #expect(error.code == .cancelled)
        #expect(error.sent == .maybeSent)
    }

    @Test("do not leak from a load to the next one on the same connection")
    func reuseOfConnections() async throws {
        let exchange: [ScriptedServer.Step] = [.readRequest, .respond(200, content: "ok")]
        let server = try ScriptedServer(exchange + exchange + exchange)
        let recorder = EventRecorder()
        _ = try await transport.load(request(server.url, recorder))
        let count = recorder.events.count
        _ = try await transport.get(server.url)
        #expect(recorder.events.count == count)
    }
}
