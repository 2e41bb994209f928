// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyTestServers
import SwiftyTesting
import Synchronization
import TestSupport
import Testing

@Suite("A stream that is used up when it is sent again", .timeLimit(.minutes(15)))
struct UsedUpStreamTests {
    enum Kind: CaseIterable {
        case sequence, writer, multipart, compressed

        /// Content whose closure gives what an earlier call has left.
        func body(of resource: NetworkResourceWithBody, _ parts: [Data]) -> NetworkResourceWithBody {
            let once = AsyncStream<Data> { continuation in
                for part in parts { continuation.yield(part) }
                continuation.finish()
            }
            let rest = Rest(parts)
            switch self {
            case .sequence: return resource.stream { once }
            case .writer: return resource.stream { while let part = rest.next() { try await $0.write(part) } }
            case .multipart: return resource.multipart(name: "a", value: "b").multipart(name: "s", stream: { once })
            case .compressed: return resource.stream { once }.compressed()
            }
        }
    }

    private final class Rest: Sendable {
        private let parts: Mutex<ArraySlice<Data>>

        init(_ parts: [Data]) {
            self.parts = Mutex(parts[...])
        }

        func next() -> Data? { parts.withLock { $0.popFirst() } }
    }

    /// The reason for which the content is sent a second time.
    enum Trigger: CaseIterable {
        case digest, movedTemporarily, movedPermanently, unavailable, lost, lostKept

        func configure(_ server: LoopbackServer) {
            server.route("PUT", "/x") { request in
                switch self {
                case .digest where request["Authorization"] == nil:
                    .status(401).header("WWW-Authenticate", #"Digest realm="r", nonce="n", qop="auth""#)
                case .movedTemporarily: .status(307).header("Location", "/y")
                case .movedPermanently: .status(308).header("Location", "/y")
                case .unavailable: .status(503)
                default: .text("stored")
                }
            }
            server.route("PUT", "/y") { _ in .text("stored") }
        }
    }

    private func swifty(_ url: String) throws -> Swifty {
        let credentials = CredentialStore()
        try credentials.set(.digest(user: "u", password: "p"), for: url)
        return onOneLoop {
            $0.credentials = credentials
            $0.retry = RetryPolicy(maximumAttempts: 2, backoff: .none)
        }
    }

    private let small = ["important ", "content"].map { Data($0.utf8) }
    /// More than the system takes for a connection, so that a run can be stopped in the middle.
    private static let large = (0..<512).map {
        Data("part \($0) ".utf8) + Data(repeating: UInt8(truncatingIfNeeded: $0), count: 65_536)
    }
    /// Large for gzip, too: it finds no repetition at a distance of more than 32 KiB.
    private static let incompressible = {
        var generator = SplitMix(seed: 1)
        let bytes = Data((0..<65_536).map { _ in UInt8.random(in: 0 ... .max, using: &generator) })
        return (0..<128).map { Data("part \($0) ".utf8) + bytes }
    }()

    @Test("is not sent as a complete request, and the load fails", arguments: Trigger.allCases, Kind.allCases)
    func refused(_ trigger: Trigger, _ kind: Kind) async throws {
        let server = try LoopbackServer { trigger.configure($0) }
        let base = BaseResource(server.url, networkInterface: try swifty(server.url))
        if trigger == .lostKept { _ = try await base.get("get").load() }
        if trigger == .lost || trigger == .lostKept { server.failNext(.response(.close), path: "/x") }
        let error = await loadFailure(kind.body(of: base.put("x"), small))
        #expect(error?.code == .contentNotReplayable, "\(String(describing: error))")
        #expect(error?.reason.contains("isReplayable: false") == true)
        let uploads = server.log.requests.filter { $0.method == "PUT" }
        #expect(uploads.count == 1)
        #expect(kind == .compressed || uploads.allSatisfy { $0.text.contains("important content") })
    }

    @Test("after a run that was stopped does not replace the content by its rest", arguments: Kind.allCases, [503, 0])
    func rest(_ kind: Kind, _ status: Int) async throws {
        let answer: [ScriptedServer.Step] =
            status == 0 ? [.reset] : [.respond(status), .pause(.milliseconds(50)), .reset]
        let server = try ScriptedServer { connection in
            connection == 0
                // More than what surrounds a part of a form, so that the stream itself was read.
                ? [.readRequest, .respond(200), .readHead, .skip(10_000)] + answer
                : [.readRequest, .respond(200, content: "stored")]
        }
        let base = BaseResource(server.url, networkInterface: try swifty(server.url))
        _ = try await base.get("first").load()
        let parts = kind == .compressed ? Self.incompressible : Self.large
        let error = await loadFailure(kind.body(of: base.put("x"), parts))
        #expect(error?.code == .contentNotReplayable, "\(String(describing: error))")
        #expect(server.log.requests.allSatisfy { $0.content.isEmpty })
    }

    @Test("is sent whole after 417, which is answered before the content is read", arguments: Kind.allCases)
    func expectation(_ kind: Kind) async throws {
        let server = try ScriptedServer { connection in
            connection == 0 ? [.readHead, .respond(417), .close] : [.readRequest, .respond(200, content: "stored")]
        }
        let base = BaseResource(server.url, networkInterface: try swifty(server.url))
        let response = try? await kind.body(of: base.put("x"), small).load()
        let uploads = server.log.requests
        // Without an expectation, the response stands; in no case is there a second request with less.
        if response != nil {
            #expect(uploads.count == 2)
            #expect(kind == .compressed || uploads.last?.text.contains("important content") == true)
        }
    }

    @Test("is not sent empty by a second load of the same resource", arguments: Kind.allCases)
    func secondLoad(_ kind: Kind) async throws {
        let server = try LoopbackServer { $0.route("PUT", "/x") { _ in .text("stored") } }
        let base = BaseResource(server.url, networkInterface: try swifty(server.url))
        let resource = kind.body(of: base.put("x"), small)
        #expect(try await resource.load().string == "stored")
        let error = await loadFailure(resource)
        #expect(error?.code == .contentNotReplayable)
        #expect(error?.reason.contains("earlier load") == true)
        #expect(await loadFailure(resource.copy())?.code == .contentNotReplayable)
        #expect(server.log.count == 1)
    }

    @Test("does not reach a transport that collects the content, or a mock", arguments: Kind.allCases)
    func collected(_ kind: Kind) async throws {
        let stub = StubTransport(status: 503)
        let swifty = Swifty(transport: stub) { $0.retry = RetryPolicy(maximumAttempts: 2, backoff: .none) }
        let error = await loadFailure(
            kind.body(of: BaseResource("https://a.test", networkInterface: swifty).put(), small)
        )
        #expect(error?.code == .contentNotReplayable)
        #expect(stub.requests.count == 1)
    }

    @Test("fails in each load of a batch that shares the sequence, apart from the one that has it")
    func batch() async throws {
        let server = try LoopbackServer { $0.route("PUT", "/x") { _ in .text("stored") } }
        let swifty = try swifty(server.url)
        let resource = Kind.sequence.body(of: BaseResource(server.url, networkInterface: swifty).put("x"), small)
        for _ in 0..<2 { _ = await swifty.batch([resource]) }
        #expect(server.log.requests.map(\.text) == ["important content"])
    }

    @Test("leaves loads alone whose closure makes the same content each time", arguments: [307, 503])
    func replayable(_ status: Int) async throws {
        let calls = Counter()
        let server = try LoopbackServer { server in
            server.route("PUT", "/*") { _ in
                calls.increment() == 1 ? .status(status).header("Location", "/y") : .text("stored")
            }
        }
        let parts = Self.large.prefix(16)
        let resource = BaseResource(server.url, networkInterface: try swifty(server.url)).put("x").stream {
            AsyncStream<Data> { continuation in
                for part in parts { continuation.yield(part) }
                continuation.finish()
            }
        }
        for _ in 0..<2 { #expect(try await resource.load().string == "stored") }
        #expect(Set(server.log.requests.map(\.content)).count == 1)
        #expect(server.log.count == 3)
    }
}
