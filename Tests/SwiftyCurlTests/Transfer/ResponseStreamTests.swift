// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyCurl
import SwiftyTestServers
import SwiftyTransport
import TestSupport
import Testing

@Suite("Streamed responses", .timeLimit(.minutes(15)))
struct ResponseStreamTests {
    @Test("arrive whole, whatever their size", arguments: FlowPeer.Version.allCases)
    func whole(version: FlowPeer.Version) async throws {
        let peer = try await FlowPeer(version)
        for count in [0, 1, 65_536, 3_000_001] {
            let response = try await peer.stream("bytes/\(count)")
            #expect(response.head.statusCode == 200)
            #expect(try await response.content.checkedCount() == count)
            #expect(try await response.content.next() == nil)
            #expect(response.content.metrics.responseContentBytes == count)
            #expect(response.content.metrics.isCompletenessProven)
        }
    }

    @Test(
        "of a reader that pauses: the server is stopped, and the connection's other loads go on",
        arguments: FlowPeer.Version.allCases
    )
    func backPressure(version: FlowPeer.Version) async throws {
        let peer = try await FlowPeer(version)
        let total = 40 << 20
        let response = try await peer.stream("bytes/\(total)", timeouts: .init(total: .seconds(600)))
        #expect(try await response.content.next() != nil)
        // Until the server cannot write any more: besides the transport's part, the sockets hold megabytes, how many
        // depends on the system. Linux lets a receive buffer grow to 32 MiB.
        var (written, count) = (-1, 0)
        try await until {
            let now = (try? await peer.written()) ?? 0
            count = now == written ? count + 1 : 0
            written = now
            return count == 20
        }
        #expect(written < total, "\(written)")
        count = 0
        while let part = try await response.content.next() { count += part.count }
        #expect(count > total - (1 << 20))
    }

    @Test("released before their end: the transfer ends, at the server, too", arguments: FlowPeer.Version.allCases)
    func release(version: FlowPeer.Version) async throws {
        let peer = try await FlowPeer(version)
        for ending in 0..<3 {
            var response: StreamedResponse? = try await peer.stream("bytes/50000000")
            #expect(try await response?.content.next() != nil)
            switch ending {
            case 0: break
            case 1: response?.content.cancel()
            default:
                // A cancelled task.
                let content = try #require(response).content
                let task = Task { try await content.collect().count }
                task.cancel()
                await #expect(throws: SwiftyError.self) { try await task.value }
            }
            response = nil
            try await until { try await peer.open() == 0 }
        }
    }

    @Test("a cancelled content throws, and does so again", arguments: FlowPeer.Version.allCases)
    func cancel(version: FlowPeer.Version) async throws {
        let peer = try await FlowPeer(version)
        let response = try await peer.stream("bytes/50000000")
        response.content.cancel()
        for _ in 0..<2 {
            do throws(SwiftyError) {
                _ = try await response.content.collect()
                Issue.record("the content ended")
            } catch {
                #expect(error.code == .cancelled)
                #expect(error.head?.statusCode == 200)
            }
        }
    }

    @Test("cut off never end in success", arguments: FlowPeer.Version.allCases)
    func cut(version: FlowPeer.Version) async throws {
        let peer = try await FlowPeer(version)
        let response = try await peer.stream("cut/100000")
        var count = 0
        do throws(SwiftyError) {
            while let part = try await response.content.next() { count += part.count }
            Issue.record("the content ended after \(count) bytes")
        } catch {
            #expect(error.code == .connectionLost)
            #expect(error.stage == .content)
            #expect(error.sent == .responded)
        }
        #expect(count <= 100_000)
    }

    @Test(
        "informational responses and trailers are events, and trailers follow the content",
        arguments: FlowPeer.Version.allCases
    )
    func events(version: FlowPeer.Version) async throws {
        let peer = try await FlowPeer(version)
        let recorder = EventRecorder()
        var request = try peer.request("rich")
        request.onEvent = { recorder.record($0) }
        let response = try await peer.transport.stream(request, cancellation: LoadCancellation())
        #expect(response.content.trailers.isEmpty)
        #expect(try await response.content.collect() == Data("rich food".utf8))
        #expect(response.content.trailers[.init("Digest") ?? .accept] == "abc")
        #expect(recorder.names.filter { $0 != "progress" } == ["connected", "sent", "103", "200", "trailers"])
        guard
            case .informational(103, let headers) = recorder.events.first(where: {
                if case .informational = $0 { true } else { false }
            })
        else {
            Issue.record("no informational response")
            return
        }
        #expect(headers[.init("Link") ?? .accept] == "</style.css>")
    }

    @Test("the reader's pauses are not the server's silence", arguments: FlowPeer.Version.allCases)
    func pauses(version: FlowPeer.Version) async throws {
        let peer = try await FlowPeer(version)
        let count = try await withGrowing { idle in
            let timeouts = NetworkRequest.Timeouts(total: .seconds(900), idle: idle)
            let response = try await peer.stream("bytes/20000000", timeouts: timeouts)
            var count = try await response.content.next()?.count ?? 0
            try await Task.sleep(for: idle * 2)
            while let part = try await response.content.next() { count += part.count }
            return count
        }
        #expect(count == 20_000_000)
    }

    @Test("the server's silence in the content has its limit")
    func silence() async throws {
        let server = try ScriptedServer([
            .readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nshort"), .stall,
        ])
        let request = try NetworkRequest.to(server.url, timeouts: .init(total: .seconds(60), idle: .seconds(4)))
        let response = try await CurlTransport()
            .stream(request, cancellation: LoadCancellation())
        await #expect(throws: SwiftyError.self) { try await response.content.collect() }
        let error = await failure { () throws(SwiftyError) in _ = try await response.content.next() }
        #expect(error?.code == .timedOut)
    }

    @Test("the limit of responses in memory does not apply", arguments: FlowPeer.Version.allCases)
    func size(version: FlowPeer.Version) async throws {
        let peer = try await FlowPeer(version) { $0.settings.responses.contentLimit = 1000 }
        #expect(try await peer.stream("bytes/100000").content.checkedCount() == 100_000)
    }

    @Test("of which nobody else reads: a second reader is told so")
    func secondReader() async throws {
        let server = try ScriptedServer([
            .readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n"), .stall,
        ])
        let response = try await CurlTransport()
            .stream(.to(server.url), cancellation: LoadCancellation())
        let content = response.content
        let errors = await withTaskGroup(of: SwiftyError?.self) { group in
            for _ in 0..<2 {
                group.addTask { await failure { () throws(SwiftyError) in _ = try await content.next() } }
            }
            let first = await group.next()
            content.cancel()
            return await group.reduce(into: [first ?? nil]) { $0.append($1) }
        }
        #expect(errors.map(\.?.code) == [.transportFailed, .cancelled])
    }

    @Test("without a response there is an error", arguments: ["", "HTTP/1.1 200", "what?\r\n\r\n"])
    func noHead(bytes: String) async throws {
        let server = try ScriptedServer([.readRequest, .send(bytes), .close])
        let error = await failure { () throws(SwiftyError) in
            guard let request = try? NetworkRequest.to(server.url) else { return }
            _ = try await CurlTransport().stream(request, cancellation: LoadCancellation())
        }
        #expect(error?.code == (bytes.hasPrefix("what") ? .malformedResponse : .connectionLost))
    }

    @Test("a connection that carried a whole one is used again")
    func reuse() async throws {
        let server = try ScriptedServer([
            .readRequest, .respond(200, content: "first"), .readRequest, .respond(200, content: "second"), .stall,
        ])
        let transport = CurlTransport()
        for text in ["first", "second"] {
            let response = try await transport.stream(.to(server.url), cancellation: LoadCancellation())
            #expect(try await response.content.collect() == Data(text.utf8))
        }
        #expect(server.connectionCount == 1)
    }

    @Test("a shutdown ends them")
    func shutdown() async throws {
        let peer = try await FlowPeer(.http1)
        let response = try await peer.stream("bytes/50000000")
        await peer.transport.shutdown()
        let error = await failure { () throws(SwiftyError) in _ = try await response.content.collect() }
        #expect(error?.code == .shutdown)
    }
}

/// The error of an operation; `nil` if it succeeds.
func failure(of operation: () async throws(SwiftyError) -> Void) async -> SwiftyError? {
    do throws(SwiftyError) {
        try await operation()
        return nil
    } catch {
        return error
    }
}
