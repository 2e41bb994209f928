// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyCurl
import SwiftyTransport
import Testing

@Suite("Truncated, malformed and excessive responses over HTTP/2", .timeLimit(.minutes(15)))
struct MalformedStreamTests {
    /// The server's output instead of a response; see `Tests/Peers/http2.py`.
    static let bad = [
        "cut-with-length", "cut", "cut-headers", "cut-frame", "short", "long", "two-lengths", "odd-length", "reset",
        "reset-cancel", "reset-without-error", "no-status", "two-statuses", "late-status", "upper-case", "line-feed",
        "nul", "connection", "chunked", "unknown-pseudo", "content-first", "content-of-none",
        "large-frame-with-length",
        "unpacked", "settings", "window", "push", "continuation", "switch", "never-asked", "http1",
    ]

    /// On a new connection: the peer ends the old one, perhaps a little later.
    private func expectSuccess(of transport: CurlTransport, _ peer: HTTP2Peer) async throws {
        var request = try peer.request("ok")
        request.requiresNewConnection = true
        #expect(try await transport.load(request).text == "ok")
    }

    @Test("fail with a typed error, and the next load succeeds", arguments: bad)
    func malformed(_ name: String) async throws {
        let peer = try await HTTP2Peer()
        let transport = peer.transport()
        let error = try await transport.failure(of: peer.request("bad/\(name)"))
        #expect([.connectionLost, .malformedResponse].contains(error.code), "\(error)")
        #expect(error.sent != .notSent)
        try await expectSuccess(of: transport, peer)
    }

    @Test(
        "content of unknown length fails after a frame that violates the protocol",
        arguments: ["large-frame", "padding"]
    )
    func brokenFrame(_ name: String) async throws {
        let peer = try await HTTP2Peer()
        let transport = peer.transport()
        let error = try await transport.failure(of: peer.request("bad/\(name)"))
        #expect([.connectionLost, .malformedResponse].contains(error.code), "\(error)")
        #expect(error.head?.statusCode == 200, "\(error)")
        try await expectSuccess(of: transport, peer)
    }

    @Test(
        "a hundred thousand idle frames soon end in a response or an error, and the next load succeeds",
        arguments: [
            "data", "ping", "settings", "priority", "window", "unknown", "reset", "continuation", "hints",
        ]
    )
    func flood(_ name: String) async throws {
        let peer = try await HTTP2Peer()
        let transport = peer.transport()
        switch await transport.result(of: try peer.request("flood/\(name)")) {
        case .success(let response): #expect(response.text == "ok")
        case .failure(let error): #expect(![.timedOut, .transportFailed].contains(error.code), "\(error)")
        }
        try await expectSuccess(of: transport, peer)
    }

    @Test("content beyond the window of a response that is not read ends the connection")
    func excess() async throws {
        let peer = try await TLSPeer("http2_frames.py")
        let transport = peer.transport { $0.loops = 1 }
        let (head, part) = (FrameBytes.head(), FrameBytes.frame(.data, on: 1, [UInt8](repeating: 0x61, count: 16_000)))
        let script = Data("1600 \(head.count) \(part.count) 0\n".utf8) + head + part
        let request = try NetworkRequest.to(peer.url("flood/excess"), method: .post, content: script)
        let response = try await transport.stream(request, cancellation: LoadCancellation())
        // Until the excess has arrived, loads share the connection; the last of them may end with it.
        var isShared = true
        while isShared {
            let other = await transport.result(of: try .to(peer.url("ok")))
            isShared = (try? other.get().metrics.isConnectionReused) ?? true
        }
        var count = 0
        let error = await #expect(throws: SwiftyError.self) {
            while let part = try await response.content.next() { count += part.count }
        }
        #expect(error?.code == .malformedResponse)
        #expect(error?.reason.contains("FLOW_CONTROL_ERROR") == true, "\(String(describing: error))")
        #expect(count < 4 << 20)
    }

    @Test("trailers are counted", arguments: [(1, true), (20, true), (40, false)])
    func trailers(_ count: Int, isTaken: Bool) async throws {
        let peer = try await HTTP2Peer()
        let transport = peer.transport()
        let request = try peer.request("trailers/\(count)")
        if isTaken {
            #expect(try await transport.load(request).text == "ok")
        } else {
            #expect(try await transport.failure(of: request).code == .responseTooLarge)
        }
        try await expectSuccess(of: transport, peer)
    }
}
