// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTestServers
import SwiftyTransport

import struct Foundation.Data

// HTTP/2 over TLS, against a server that supports nothing else.

extension Conformance {
    private typealias Request = ScriptedHTTP2Server.Request
    private typealias Action = ScriptedHTTP2Server.Action

    /// A scenario with a server of HTTP/2 and a transport that trusts it.
    private static func scenario(
        _ name: String,
        _ sentence: String,
        _ needs: TransportCapabilities = [],
        react: @escaping ScriptedHTTP2Server.Reaction,
        _ body: @escaping @Sendable (any Transport, ScriptedHTTP2Server) async throws -> Void
    ) -> ConformanceScenario {
        let needs = needs.union([.network, .tls, .customAuthorities, .http2])
        return ConformanceScenario("http2/\(name)", sentence, needs: needs) { run in
            let authority = try TestAuthority()
            let peer = try run.http2Peer(authority, react)
            try await body(run.transport { $0.tls.trust = .pem(authority.pem) }, peer)
        }
    }

    @Sendable private static func echo(_ request: Request, _ earlier: [Request]) -> [Action] {
        [.respond(stream: request.stream, content: request.content)]
    }

    /// Answers the first request immediately, and the next three together once all have arrived.
    @Sendable private static func answerTheLastFirst(_ request: Request, _ earlier: [Request]) -> [Action] {
        guard earlier.count >= 3 else { return earlier.isEmpty ? echo(request, earlier) : [] }
        return ([request] + earlier.dropFirst()).map { .respond(stream: $0.stream, content: $0.content) }
    }

    @Sendable private static func refuseTheFirst(_ request: Request, _ earlier: [Request]) -> [Action] {
        earlier.isEmpty ? [.reset(stream: request.stream, code: 7)] : echo(request, earlier)  // REFUSED_STREAM
    }

    @Sendable private static func resetTheFirst(_ request: Request, _ earlier: [Request]) -> [Action] {
        guard earlier.isEmpty else { return echo(request, earlier) }
        let part = Action.begin(stream: request.stream, content: Array("part".utf8))
        return [part, .reset(stream: request.stream, code: 2)]  // INTERNAL_ERROR
    }

    @Sendable private static func closeWithin(_ request: Request, _ earlier: [Request]) -> [Action] {
        [.begin(stream: request.stream, content: Array("part".utf8)), .close]
    }

    @Sendable private static func close(_ request: Request, _ earlier: [Request]) -> [Action] { [.close] }

    @Sendable private static func goAwayAndAnswer(_ request: Request, _ earlier: [Request]) -> [Action] {
        [.goAway(last: request.stream), .respond(stream: request.stream, content: request.content)]
    }

    private static let large = String(repeating: "0123456789abcdef", count: 20_000)

    static let http2 = whole + broken

    private static let whole = [
        scenario("chosen", "HTTP/2 is chosen where the server offers it.", react: echo) { transport, peer in
            let response = try await transport.load(.to(peer.url, .post, content: "content"))
            try expect("the content", response.text, is: "content")
            try expect("the version", response.head.httpVersion, is: .http2)
        },
        scenario("reused", "Later requests are streams of the same connection.", react: echo) { transport, peer in
            for number in 0..<3 {
                let response = try await transport.load(.to(peer.url, .put, content: "\(number)"))
                try expect("the content", response.text, is: "\(number)")
            }
            try expect("the number of connections", peer.connectionCount, is: 1)
        },
        scenario(
            "simultaneous",
            "Requests are under way on one connection at the same time, and are answered in any order.",
            react: answerTheLastFirst
        ) { transport, peer in
            // Opens the connection before the others need one.
            _ = try await transport.load(.to(peer.url, .post, content: "first"))
            let texts = try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 0..<3 {
                    group.addTask {
                        try await transport.load(.to(peer.url, .post, content: "\(number)")).text == "\(number)"
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            try expect("whether each has its own response", texts, is: [true, true, true])
            try expect("the number of connections", peer.connectionCount, is: 1)
        },
        scenario("large", "Content beyond the windows passes in both directions.", react: echo) { transport, peer in
            let response = try await transport.load(.to(peer.url, .post, content: large))
            try expect(response.text == large, "the content has \(response.content.count) bytes and is another one")
        },
    ]

    private static let broken = [
        scenario(
            "refused-stream",
            "A POST whose stream is refused was not processed: it is sent again, or fails as not sent.",
            .sentState,
            react: refuseTheFirst
        ) { transport, peer in
            switch await transport.result(of: try .to(peer.url, .post, content: "once")) {
            case .success(let response): try expect("the content", response.text, is: "once")
            case .failure(let error): try expect("the state of the request", error.sent, is: .notSent)
            }
        },
        scenario(
            "reset-stream",
            "A stream that the server resets fails alone.",
            react: resetTheFirst
        ) { transport, peer in
            let error = try await transport.failure(of: .to(peer.url, .post, content: "x"))
            try ExpectedFailure(.connectionLost, [], .responded).check(error)
            try expect("the next content", try await transport.load(.to(peer.url, .post, content: "y")).text, is: "y")
            try expect("the number of connections", peer.connectionCount, is: 1)
        },
        scenario(
            "cut",
            "A connection that ends within a response is not the end of the response.",
            react: closeWithin
        ) { transport, peer in
            let error = try await transport.failure(of: .to(peer.url, .post, content: "x"))
            try ExpectedFailure(.connectionLost, [], .responded).check(error)
        },
        scenario(
            "unanswered",
            "A POST on a connection that ends before its response may have been processed, and is not sent again.",
            .sentState,
            react: close
        ) { transport, peer in
            let error = try await transport.failure(of: .to(peer.url, .post, content: "x"))
            try ExpectedFailure(.connectionLost, [], .maybeSent).check(error)
            try expect("the number of connections", peer.connectionCount, is: 1)
        },
        scenario(
            "goaway",
            "After GOAWAY a request that was accepted is completed, and the next one has another connection.",
            react: goAwayAndAnswer
        ) { transport, peer in
            for number in 0..<2 {
                let response = try await transport.load(.to(peer.url, .post, content: "\(number)"))
                try expect("the content", response.text, is: "\(number)")
            }
            try expect("the number of connections", peer.connectionCount, is: 2)
        },
    ]
}
