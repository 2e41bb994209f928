// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyCurl
import SwiftyTransport
import TestSupport
import Testing

/// Many requests on connections whose SETTINGS have not come yet, to the server of `Tests/Peers/few_streams.py`.
@Suite("HTTP/2 servers that allow few streams", .timeLimit(.minutes(15)))
struct FewStreamsTests {
    struct Counts {
        let (connections, begun, processed, refused): (Int, Int, Int, Int)

        init(_ peer: TLSPeer) async throws {
            let text = try await peer.transport().get(peer.url("counts")).text
            let numbers = text.split(separator: " ").compactMap { Int($0) }
            try #require(numbers.count == 4)
            // Without the connection of this request.
            (connections, begun, processed, refused) = (numbers[0] - 1, numbers[1] - 1, numbers[2], numbers[3])
        }
    }

    /// Sends as many requests at once, and returns the errors.
    private func send(
        _ count: Int,
        _ peer: TLSPeer,
        _ transport: CurlTransport,
        method: HTTPRequest.Method = .post
    ) async throws -> [SwiftyError] {
        let body = method == .post ? Data("content".utf8) : nil
        return try await withThrowingTaskGroup(of: SwiftyError?.self) { group in
            for index in 0..<count {
                group.addTask {
                    let request = try NetworkRequest.to(peer.url("\(index)"), method: method, content: body)
                    do throws(SwiftyError) {
                        let response = try await transport.load(request)
                        #expect(response.text.hasPrefix("ok"))
                        return nil
                    } catch {
                        return error
                    }
                }
            }
            return try await group.reduce(into: []) { errors, error in error.map { errors.append($0) } }
        }
    }

    @Test(
        "process a hundred requests of a cold start, each once",
        arguments: ["limit=1", "limit=3", "limit=10", "limit=1,100", "limit=100,1"],
        ["", " delay=30"]
    )
    func coldStart(limit: String, delay: String) async throws {
        let peer = try await TLSPeer("few_streams.py", option: limit + delay)
        #expect(try await send(100, peer, peer.transport { $0.loops = 1 }).map(\.description) == [])
        #expect(try await Counts(peer).processed == 100)
    }

    @Test("are asked for no more than they have allowed before, while a connection is kept")
    func learned() async throws {
        let peer = try await TLSPeer("few_streams.py", option: "limit=2 delay=20")
        let transport = peer.transport { $0.loops = 1 }
        #expect(try await transport.get(peer.url("first")).text == "ok")
        #expect(try await send(50, peer, transport).isEmpty)
        #expect(try await Counts(peer).refused == 0)
    }

    @Test("may forbid every stream for a while: requests wait on one connection")
    func raised() async throws {
        let peer = try await TLSPeer("few_streams.py", option: "limit=0 raise=5/300")
        #expect(try await send(20, peer, peer.transport { $0.loops = 1 }).map(\.description) == [])
        let counts = try await Counts(peer)
        #expect(counts.processed == 20)
        #expect(counts.connections <= 4)
    }

    @Test("may allow one stream after none: the other requests get connections of their own")
    func raisedToOne() async throws {
        let peer = try await TLSPeer("few_streams.py", option: "limit=0 raise=1/300 delay=500")
        #expect(try await send(2, peer, peer.transport { $0.loops = 1 }).map(\.description) == [])
        let counts = try await Counts(peer)
        #expect(counts.processed == 2)
        #expect(counts.connections == 2)
    }

    @Test("may hold a request back: a younger one does not close its connection, although no other one is allowed")
    func heldPlace() async throws {
        let peer = try await TLSPeer("few_streams.py", option: "limit=0,10 raise=1/1500")
        let transport = peer.transport {
            $0.loops = 1
            $0.settings.connections.maximumPerHost = 1
        }
        let held = try NetworkRequest.to(peer.url("held"))
        var younger = try NetworkRequest.to(peer.url("younger"))
        younger.requiresNewConnection = true
        try await withThrowingTaskGroup(of: String.self) { group in
            group.addTask {
                _ = try await transport.load(held)
                return "held"
            }
            try await Task.sleep(for: .milliseconds(300))
            group.addTask { [younger] in
                _ = try await transport.load(younger)
                return "younger"
            }
            #expect(try await group.reduce(into: []) { $0.append($1) } == ["held", "younger"])
        }
        #expect(try await Counts(peer).processed == 2)
    }

    @Test("may refuse a repeated request, too: it waits on the connection that was made for it")
    func repetition() async throws {
        let peer = try await TLSPeer("few_streams.py", option: "limit=10,0 raise=5/300 cut=1")
        let transport = peer.transport { $0.loops = 1 }
        #expect(try await transport.get(peer.url("first")).text == "ok")
        #expect(try await transport.get(peer.url("second")).text == "ok")
        #expect(try await Counts(peer).connections == 2)
    }

    @Test("may close that connection, too: the request is repeated on a third one")
    func secondLoss() async throws {
        let peer = try await TLSPeer("few_streams.py", option: "limit=10,0,10 raise=5/300 cut=2")
        let transport = peer.transport { $0.loops = 1 }
        #expect(try await transport.get(peer.url("first")).text == "ok")
        let response = try await transport.get(peer.url("second"))
        #expect(response.text == "ok")
        #expect(response.metrics.repetitions == 2)
        #expect(try await Counts(peer).connections == 3)
    }

    @Test("may respond before the end of an upload has room: the next request does not wait for it")
    func heldEnd() async throws {
        let peer = try await TLSPeer("few_streams.py", option: "limit=1 delay=200 hold")
        let transport = peer.transport { $0.loops = 1 }
        var upload = try NetworkRequest.to(peer.url("upload"), method: .post)
        // As many bytes as the first window has: its end comes after the response.
        upload.content = .source(PatternSource(65_535))
        #expect(try await transport.load(upload).text == "ok")
        var request = try NetworkRequest.to(peer.url("next"))
        request.timeouts.total = .seconds(30)
        #expect(try await transport.load(request).text == "ok")
        #expect(try await Counts(peer).connections == 1)
    }

    @Test("have room for the next request once a response is refused, and are idle after the last one")
    func refusedResponses() async throws {
        let peer = try await TLSPeer("few_streams.py", option: "limit=1")
        let transport = peer.transport {
            $0.loops = 1
            $0.settings.responses.contentLimit = 1
            $0.settings.connections.maximumPerHost = 1
        }
        try await withThrowingTaskGroup(of: SwiftyError.self) { group in
            for index in 0..<5 {
                var request = try NetworkRequest.to(peer.url("\(index)"))
                request.timeouts.total = .seconds(30)
                group.addTask { [request] in try await transport.failure(of: request) }
            }
            for try await error in group { #expect(error.code == .responseTooLarge, "\(error)") }
        }
        let statistics = await transport.connectionStatistics()
        #expect((statistics.idle, statistics.active) == (1, 0))
    }

    @Test("hear from the client on a connection that turns out not to be needed, too")
    func unusedConnection() async throws {
        let peer = try await TLSPeer("few_streams.py", option: "limit=1 delay=100 handshake=1000 listen")
        let transport = peer.transport { $0.loops = 1 }
        #expect(try await transport.get(peer.url("first")).text == "ok")
        // The second of the two begins a connection, and gets the first one before that is made.
        #expect(try await send(2, peer, transport).isEmpty)
        try await until { await transport.connectionStatistics().idle == 2 }
        let counts = try await Counts(peer)
        #expect((counts.connections, counts.begun) == (2, 2))
    }

    @Test("refuse a request that demands a new connection six times at most")
    func newConnections() async throws {
        let peer = try await TLSPeer("few_streams.py", option: "limit=0 raise=5/60000")
        var request = try NetworkRequest.to(peer.url("x"))
        request.requiresNewConnection = true
        let transport = peer.transport { $0.loops = 1 }
        let error = await #expect(throws: SwiftyError.self) { try await transport.load(request) }
        #expect(error?.code == .connectionLost)
        #expect(error?.sent == .notSent)
        let counts = try await Counts(peer)
        #expect((1...6).contains(counts.connections))
    }

    @Test("that never allow one end requests by their limits, and one that also leaves by an error")
    func forbidden() async throws {
        let silent = try await TLSPeer("few_streams.py", option: "limit=0")
        var request = try NetworkRequest.to(silent.url("x"))
        request.timeouts.total = .seconds(1)
        let transport = silent.transport()
        let overdue = await #expect(throws: SwiftyError.self) { try await transport.load(request) }
        #expect(overdue?.code == .timedOut)
        #expect(overdue?.sent != .responded)
        let leaving = try await TLSPeer("few_streams.py", option: "limit=0 leave")
        let errors = try await send(3, leaving, leaving.transport())
        #expect(errors.map(\.code) == [.connectionLost, .connectionLost, .connectionLost])
        // The first ones were sent before the SETTINGS came.
        #expect(errors.allSatisfy { $0.sent != .responded })
    }

    @Test(
        "that demand HTTP/1.1 are sent the request over it, with any method",
        arguments: ["reset", "goaway"],
        [1, 20]
    )
    func demand(kind: String, count: Int) async throws {
        let peer = try await TLSPeer("few_streams.py", option: "demand=\(kind)")
        let transport = peer.transport { $0.loops = 1 }
        for _ in 0..<2 { #expect(try await send(count, peer, transport).map(\.description) == []) }
        #expect(try await send(count, peer, transport, method: .get).map(\.description) == [])
        let response = try await transport.get(peer.url("last"))
        #expect(response.text == "ok 1.1")
        #expect(response.metrics.httpVersion == .http1_1)
    }

    @Test("and demand HTTP/1.1 have the request fail where the settings forbid it")
    func forbiddenVersion() async throws {
        let peer = try await TLSPeer("few_streams.py", option: "demand=reset")
        let transport = peer.transport { $0.settings.connections.version = .http2 }
        let errors = try await send(1, peer, transport)
        #expect(errors.map(\.code) == [.connectionLost])
        #expect(errors[0].reason.contains("HTTP_1_1_REQUIRED"))
    }
}
