// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyCurl
import SwiftyTransport
import TestSupport
import Testing

/// Content that is sent again on another connection, which may speak another version of HTTP.
@Suite("An upload that is repeated", .timeLimit(.minutes(15)))
struct RepeatedUploadTests {
    /// The connection that does not carry the content, and the one that does: see `Tests/Peers/versions.py`.
    struct Route: CustomTestStringConvertible {
        var broken: String
        var serving: String

        var testDescription: String { "\(broken), then \(serving)" }
        /// Whether the content arrives with chunk framing.
        var isChunked: Bool { serving.hasPrefix("http1") }
    }

    private static let breaks = ["http1/close", "http1/part", "http2/close", "http2/part", "http2/unprocessed"]

    static let routes = breaks.flatMap { broken in
        ["http1/serve/0", "http1/serve/300", "http2/serve/0", "http2/serve/300"].map {
            Route(broken: "\(broken)/0", serving: $0)
        }
    }

    /// The content, whose first part would be a request of its own if it were not framed.
    static let parts = ["0\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n", "hello", "world"]

    private func peer(_ route: Route) async throws -> TLSPeer {
        try await TLSPeer("versions.py", option: "\(route.broken) \(route.serving)")
    }

    /// Sends the content on the second connection of a new transport, and returns its bytes as they arrived.
    private func load(
        _ peer: TLSPeer,
        _ source: PausingSource,
        method: HTTPRequest.Method = .put
    ) async throws -> String {
        let transport = peer.transport()
        _ = try await transport.get(peer.url("warm"))
        let request = try NetworkRequest.to(peer.url("upload"), method: method).sending(source)
        let response = try await transport.load(request)
        #expect(response.metrics.repetitions == 1)
        let digits = Array(response.text.utf8)
        let bytes = stride(from: 0, to: digits.count - 1, by: 2).compactMap {
            UInt8(String(decoding: digits[$0..<$0 + 2], as: UTF8.self), radix: 16)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func expected(_ route: Route, hasLength: Bool) -> String {
        guard route.isChunked, !hasLength else { return Self.parts.joined() }
        return Self.parts.map { "\(String($0.utf8.count, radix: 16))\r\n\($0)\r\n" }.joined() + "0\r\n\r\n"
    }

    @Test("is framed as the connection that carries it demands", arguments: routes, [0, 50])
    func framing(route: Route, pause: Int) async throws {
        let peer = try await peer(route)
        for hasLength in [false, true] {
            for repetition in [PausingSource.Repetition.replay, .rewind] {
                let source = PausingSource(
                    Self.parts,
                    hasLength: hasLength,
                    pause: .milliseconds(pause),
                    repetition
                )
                let content = try await load(peer, source)
                #expect(content == expected(route, hasLength: hasLength), "length \(hasLength), \(repetition)")
            }
        }
    }

    @Test("with a method that only an unprocessed request may repeat is framed likewise", arguments: [0, 100])
    func unprocessed(pause: Int) async throws {
        for route in Self.routes where route.broken.contains("unprocessed") {
            let source = PausingSource(Self.parts, pause: .milliseconds(pause), .replay)
            let content = try await load(peer(route), source, method: .post)
            #expect(content == expected(route, hasLength: false))
        }
    }

    @Test("does not wait for a source that is busy with the attempt before", arguments: ["http2", "http1"])
    func busySource(version: String) async throws {
        // The second part of the first run comes after the second attempt has ended.
        let route = Route(broken: "\(version)/part/0", serving: "\(version)/serve/0")
        let source = SlowFirstRun(["hello", "world"])
        let peer = try await peer(route)
        let transport = peer.transport()
        _ = try await transport.get(peer.url("warm"))
        let response = try await transport.load(.to(peer.url("upload"), method: .put).sending(source))
        #expect(response.head.statusCode == 200)
        try await until { source.isFirstRunBusy }
        source.endFirstRun()
    }
}

/// Content whose first run never gets to its second part, until the test lets it.
private final class SlowFirstRun: ContentSource {
    private let parts: [String]
    private let run: PausedRun
    private let position: PausedRun.Position

    init(_ parts: [String]) {
        self.parts = parts
        run = PausedRun()
        position = PausedRun.Position(isFirst: true)
    }

    private init(_ parts: [String], _ run: PausedRun) {
        (self.parts, self.run) = (parts, run)
        position = PausedRun.Position(isFirst: false)
    }

    let length: Int? = nil
    let isRewindable = true
    var isFirstRunBusy: Bool { run.isWaiting }

    func endFirstRun() {
        run.end()
    }

    func next() async throws -> Data? {
        let index = position.advance()
        if position.isFirst, index > 0 { await run.wait() }
        return index < parts.count ? Data(parts[index].utf8) : nil
    }

    func replayed() -> (any ContentSource)? { SlowFirstRun(parts, run) }
}
