// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyCurl
import SwiftySupport
import SwiftyTestServers
import SwiftyTransport
import Synchronization
import TestSupport
import Testing

@Suite("Streamed requests", .timeLimit(.minutes(15)))
struct RequestStreamTests {
    /// What `/count` responds for the first bytes of the pattern.
    private func summary(_ count: Int) -> String {
        let bytes = [UInt8]((0..<count).lazy.map { UInt8(truncatingIfNeeded: $0) })
        return "\(count) \(SHA256.hash(bytes).map { String(format: "%02x", $0) }.joined())"
    }

    private func text(_ response: StreamedResponse) async throws -> String {
        String(decoding: try await response.content.collect(), as: UTF8.self)
    }

    @Test("arrive whole, with a known length and without", arguments: FlowPeer.Version.allCases, [true, false])
    func whole(version: FlowPeer.Version, hasLength: Bool) async throws {
        let peer = try await FlowPeer(version)
        for count in [0, 1, 10_000, 1_000_001] {
            let source = PatternSource(count, length: hasLength ? count : nil)
            let response = try await peer.stream("count", method: .post, content: source)
            #expect(try await text(response) == summary(count))
            #expect(response.content.metrics.requestContentBytes == count)
        }
    }

    @Test("a server that does not read stops the source", arguments: FlowPeer.Version.allCases)
    func backPressure(version: FlowPeer.Version) async throws {
        let peer = try await FlowPeer(version)
        let total = 12 << 20
        let source = PatternSource(total, partSize: 64 << 10)
        let response = Task { try await peer.stream("hold", method: .post, content: source) }
        // Until the source is not asked for more: besides what the server has read, the sockets hold about 4 MiB,
        // because the peer limits its receive buffer.
        var (position, count) = (-1, 0)
        try await until {
            let now = source.state.withLock { $0.position }
            count = now == position && now > 0 ? count + 1 : 0
            position = now
            return count == 200
        }
        #expect(position < total)
        var release = try peer.request("release")
        release.requiresNewConnection = true
        _ = try await peer.transport.load(release)
        // The digest of the first 12 MiB of the pattern, which takes long to compute here.
        let digest = "8b54debaa89f78212f6afb00c7ebb2780f3604c4caa8c97c395576a50d5d6a6a"
        #expect(try await text(response.value) == "\(total) \(digest)")
    }

    @Test(
        "with more or fewer bytes than announced fail, and their connection is not used again",
        arguments: FlowPeer.Version.allCases,
        [-1, 1]
    )
    func wrongLength(version: FlowPeer.Version, difference: Int) async throws {
        let peer = try await FlowPeer(version)
        let source = PatternSource(100_000 + difference, length: 100_000, partSize: 30_000)
        let error = await failure { () throws(SwiftyError) in
            let response = try await peer.stream("slow", method: .post, content: source)
            _ = try await response.content.collect()
        }
        #expect(error?.code == .contentUnreadable, "\(error?.description ?? "no error")")
        #expect(error?.sent == .maybeSent)
        #expect(try await peer.stream("bytes/10").content.checkedCount() == 10)
    }

    @Test("an error of the source is the cause of the failure", arguments: FlowPeer.Version.allCases)
    func sourceError(version: FlowPeer.Version) async throws {
        struct Missing: Error {}
        let peer = try await FlowPeer(version)
        let source = PatternSource(50_000, failure: Missing())
        let error = await failure { () throws(SwiftyError) in
            _ = try await peer.stream("count", method: .post, content: source)
        }
        #expect(error?.code == .contentUnreadable)
        #expect(error?.underlying is Missing)
        #expect(error?.stage == .send)
        try await until { try await peer.open() == 0 }
    }

    @Test("a response that comes early ends them", arguments: FlowPeer.Version.allCases)
    func early(version: FlowPeer.Version) async throws {
        let peer = try await FlowPeer(version)
        let source = PatternSource(.max)
        let response = try await peer.stream("early", method: .post, content: source)
        #expect(try await text(response) == "early")
        // The source is not asked any more.
        try await untilStable { source.state.withLock { $0.calls } }
    }

    @Test("refused by the server are repeated if their source can be rewound")
    func refused() async throws {
        for isRewindable in [true, false] {
            let peer = try await FlowPeer(.http2)
            let source = PatternSource(300_000, isRewindable: isRewindable)
            do throws(SwiftyError) {
                let response = try await peer.stream("refuse", method: .post, content: source)
                #expect(isRewindable)
                #expect(try await response.content.collect() == Data(summary(300_000).utf8))
                #expect(source.state.withLock { $0.rewinds } == 1)
            } catch {
                #expect(!isRewindable)
                #expect(error.code == .connectionLost)
                #expect(error.sent == .notSent)
            }
        }
    }

    @Test("wait for a 100 response before the source is asked")
    func expectation() async throws {
        let server = try ScriptedServer([
            .readHead, .pause(.milliseconds(300)), .send("HTTP/1.1 100 Continue\r\n\r\n"), .readContent,
            .respond(200, content: "taken"),
        ])
        let transport = CurlTransport(configuration: .with { $0.settings.connections.expectContinueThreshold = 10 })
        let source = PatternSource(20_000)
        let response = try await transport.stream(
            .to(server.url, method: .post).sending(source),
            cancellation: LoadCancellation()
        )
        #expect(try await text(response) == "taken")
        let request = try #require(server.log.requests.first)
        #expect(request["Expect"] == "100-continue")
        #expect(request["Transfer-Encoding"] == "chunked")
        #expect(request.content.count == 20_000)
    }

    @Test("HEAD has no content, from a source either")
    func head() async throws {
        let request = try NetworkRequest.to("http://127.0.0.1:9/", method: .head).sending(PatternSource(1))
        let error = await failure { () throws(SwiftyError) in
            _ = try await CurlTransport().stream(request, cancellation: LoadCancellation())
        }
        #expect(error?.code == .contentNotAllowed)
    }

    @Test("a source that never answers is cancelled with its transfer", arguments: FlowPeer.Version.allCases)
    func silentSource(version: FlowPeer.Version) async throws {
        let peer = try await FlowPeer(version)
        let source = SilentSource()
        let timeouts = NetworkRequest.Timeouts(total: .seconds(10), idle: .seconds(2))
        let error = await failure { () throws(SwiftyError) in
            _ = try await peer.stream("count", method: .post, content: source, timeouts: timeouts)
        }
        // The limit for silence does not count the source's.
        #expect(error?.code == .timedOut)
        #expect(error?.reason.contains("whole transfer") == true)
        try await until { source.wasCancelled.isOpen }
    }
}

private final class SilentSource: ContentSource {
    let length: Int? = nil
    let isRewindable = false
    let wasCancelled = Gate()

    func next() async throws -> Data? {
        await untilCancelled()
        wasCancelled.open()
        return nil
    }
}
