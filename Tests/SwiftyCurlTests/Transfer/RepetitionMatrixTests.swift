// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyCurl
import SwiftyTestServers
import SwiftyTransport
import Testing

/// The number of times a request reaches its server, by its method, its route, and where and how its connection breaks.
@Suite("Requests on connections that break", .timeLimit(.minutes(15)))
struct RepetitionMatrixTests {
    /// A request's method and content.
    struct Kind: CustomTestStringConvertible {
        var method: HTTPRequest.Method
        var content: String?

        var testDescription: String { "\(method) with \(content?.utf8.count ?? 0) bytes" }
        /// The number of times it may be sent: five times more if repetition is harmless (RFC 9110 §9.2.2).
        var limit: Int { [.get, .head, .put, .delete].contains(method) ? 6 : 1 }
    }

    static let kinds = [
        Kind(method: .get), Kind(method: .head), Kind(method: .put, content: "content"), Kind(method: .delete),
        Kind(method: .post, content: "content"), Kind(method: .post, content: ""),
        Kind(method: .post, content: String(repeating: "long", count: 50_000)),
        Kind(method: .patch, content: "content"),
    ]

    // MARK: HTTP/1

    /// The route to an HTTP/1 server.
    enum Way: CaseIterable {
        case direct
        case proxy
        case tunnel
    }

    /// The part of a response that the server sends before the connection breaks.
    static let beginnings = [
        "", "H", "HTTP/1.1 2", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-Le", "HTTP/1.1 100 Continue\r\n\r\n",
        "HTTP/1.1 103 Hints\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n", "garbage\r\n\r\n", "\r\n", "\0",
    ]

    /// The steps of a server that breaks the connection, after serving a request on it or not.
    private func script(
        _ beginning: String,
        _ ending: ScriptedServer.Step,
        isWarm: Bool,
        _ way: Way
    ) -> [ScriptedServer.Step] {
        let tunnel: [ScriptedServer.Step] = way == .tunnel ? [.readRequest, .send("HTTP/1.1 200 OK\r\n\r\n")] : []
        let first: [ScriptedServer.Step] = isWarm ? [.readRequest, .respond(content: "ok")] : []
        return tunnel + first + [.readRequest, .send(beginning), ending]
    }

    private func request(_ kind: Kind, _ way: Way, port: Int) throws -> NetworkRequest {
        var request = try NetworkRequest.to(
            "http://one.test:\(port)/",
            method: kind.method,
            content: kind.content.map { Data($0.utf8) }
        )
        // A tunnel is opened for an `http` URL if the request connects elsewhere.
        if way != .proxy { request.connectsTo = HostAndPort(host: "127.0.0.1", port: port) }
        return request
    }

    @Test("reach the server once, or as often as is harmless", arguments: kinds, Way.allCases)
    func plain(kind: Kind, way: Way) async throws {
        for beginning in Self.beginnings {
            for (ending, isWarm) in [
                (ScriptedServer.Step.close, true), (.reset, true), (.close, false), (.reset, false),
            ] {
                let script = script(beginning, ending, isWarm: isWarm, way)
                let server = try ScriptedServer { $0 == 0 ? script : Array(script.suffix(3)) }
                let address = HostAndPort(host: "127.0.0.1", port: server.port)
                let transport = CurlTransport(
                    configuration: .with {
                        if way != .direct { $0.settings.proxy = .proxy(TransportSettings.Proxy(.http, at: address)) }
                    }
                )
                if isWarm { _ = try await transport.load(request(Kind(method: .options), way, port: server.port)) }
                let result = await transport.result(of: try request(kind, way, port: server.port))
                let count = server.log.requests.filter { $0.method == kind.method.rawValue }.count
                let comment: Comment =
                    "\(beginning.debugDescription), \(ending), warm: \(isWarm): \(count) times, \(result)"
                #expect((1...kind.limit).contains(count), comment)
                if case .failure(let error) = result { #expect(error.sent != .notSent, comment) }
                await transport.shutdown()
            }
        }
    }

    // MARK: HTTP/2

    /// The server's action instead of a response; see `Tests/Peers/http2.py`.
    static let breaks =
        MalformedStreamTests.bad
        + [
            "large-frame", "padding", "http1-timeout", "random", "long-frame", "settings-value", "idle-content",
            "padding-alone",
            "window-overflow", "refused-late", "refused-after-hints", "unseen-late",
        ]

    @Test("over HTTP/2 reach the server once, or as often as is harmless", arguments: kinds, [true, false])
    func http2(kind: Kind, isWarm: Bool) async throws {
        let peer = try await HTTP2Peer()
        let paths =
            Self.breaks.map { "bad/\($0)" } + (0...13).filter { $0 != 7 }.map { "reset/\($0)" }
            + ["goaway-seen", "calm", "die", "abort"]
        for path in paths {
            let transport = peer.transport()
            if isWarm { _ = try await transport.load(peer.request("ok", method: .get)) }
            let body = kind.content.map { Data($0.utf8) }
            let request = try NetworkRequest.to(peer.url("\(path)?\(isWarm)"), method: kind.method, content: body)
            let result = await transport.result(of: request)
            await transport.shutdown()
            let seen = try await peer.seen(by: peer.transport()).filter { $0.hasSuffix("/\(path)?\(isWarm)") }
            #expect((1...kind.limit).contains(seen.count), "\(path): \(seen.count) times, \(result)")
            if case .failure(let error) = result { #expect(error.sent != .notSent, "\(path): \(error)") }
        }
    }

    /// That a stream was refused says nothing of the next one.
    @Test(
        "over HTTP/2 are processed once if they were refused before their connection broke",
        arguments: kinds.filter { $0.limit == 1 },
        [true, false]
    )
    func refusedBefore(kind: Kind, isWarm: Bool) async throws {
        let peer = try await HTTP2Peer()
        let transport = peer.transport()
        if isWarm { _ = try await transport.load(peer.request("ok", method: .get)) }
        let body = kind.content.map { Data($0.utf8) }
        for index in 0..<3 {
            let request = try NetworkRequest.to(peer.url("refuse-die/\(index)"), method: kind.method, content: body)
            let error = try await transport.failure(of: request)
            #expect(error.code == .connectionLost, "\(error)")
            #expect(error.sent == .maybeSent, "\(error)")
        }
        let seen = try await peer.seen(by: transport).filter { $0.contains("refuse-die") }
        #expect(seen.count == 3, "\(seen)")
    }

    @Test(
        "over HTTP/2 are repeated if the server said that it did not process them, and are processed once",
        arguments: kinds.filter { $0.method != .head },
        [true, false]
    )
    func refused(kind: Kind, isWarm: Bool) async throws {
        let peer = try await HTTP2Peer()
        let transport = peer.transport()
        if isWarm { _ = try await transport.load(peer.request("ok", method: .get)) }
        let body = kind.content.map { Data($0.utf8) }
        let response = try await transport.load(.to(peer.url("refuse-once/a"), method: kind.method, content: body))
        #expect(response.head.statusCode == 200)
        #expect(try await peer.seen(by: transport).filter { $0.contains("refuse") }.count == 1)
    }
}
