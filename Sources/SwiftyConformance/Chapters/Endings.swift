// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport
import SwiftyTestServers
import SwiftyTransport

// Time limits, and cancellation. A limit under test is short; the load has much longer to end otherwise.

extension Conformance {
    private static let short = Duration.seconds(1)
    private static let head = ScriptedServer.Step.send(AnswerRow.ok + "Content-Length: 9\r\n\r\nshort")

    static let timeLimits = [
        timeout(
            "total",
            "The total limit ends a load without a response.",
            [],
            [.readRequest, .stall],
            .init(total: short),
            .total
        ),
        timeout(
            "total-in-content",
            "The total limit ends a load in its content.",
            [],
            [.readRequest, head, .stall],
            .init(total: short),
            .total
        ),
        timeout(
            "total-dripping",
            "The total limit ends a response that comes slowly.",
            [],
            [.readRequest, .send(AnswerRow.ok + "Content-Length: 999\r\n\r\n")]
                + Array(repeating: [.pause(.milliseconds(100)), .send("x")], count: 300).flatMap { $0 },
            .init(total: .seconds(1)),
            .total
        ),
        timeout(
            "first-byte",
            "The limit for the first byte ends the wait for a response.",
            .firstByteTimeout,
            [.readRequest, .stall],
            .init(total: .seconds(40), firstByte: short),
            .firstByte
        ),
        timeout(
            "idle",
            "The limit for silence ends a silent wait.",
            .idleTimeout,
            [.readRequest, .stall],
            .init(total: .seconds(40), idle: short),
            .idle
        ),
        timeout(
            "idle-in-content",
            "The limit for silence ends content that stops.",
            .idleTimeout,
            [.readRequest, head, .stall],
            .init(total: .seconds(40), idle: short),
            .idle
        ),
        ConformanceScenario(
            "time/first-byte-only",
            "The limit for the first byte does not count for the rest.",
            needs: [.network, .firstByteTimeout]
        ) { run in
            let server = try run.server(.readRequest, head, .pause(.seconds(2)), .send("more"), .stall)
            let timeouts = NetworkRequest.Timeouts(total: .seconds(40), firstByte: .milliseconds(1_500))
            let response = try await run.transport().load(.to(server.url, timeouts: timeouts))
            try expect("the content", response.text, is: "shortmore")
        },
        ConformanceScenario(
            "time/idle-alive",
            "A slow response that is never silent for long does not end.",
            needs: [.network, .idleTimeout]
        ) { run in
            let drip = Array(repeating: [ScriptedServer.Step.send("x"), .pause(.milliseconds(200))], count: 12)
            let start = ScriptedServer.Step.send(AnswerRow.ok + "Content-Length: 12\r\n\r\n")
            let server = try run.server { _ in [.readRequest, start] + drip.flatMap { $0 } }
            let timeouts = NetworkRequest.Timeouts(total: .seconds(50), idle: .seconds(2))
            let response = try await run.transport().load(.to(server.url, timeouts: timeouts))
            try expect("the number of bytes", response.content.count, is: 12)
        },
        ConformanceScenario(
            "time/idle-upload",
            "A slow request that is never silent for long does not end.",
            needs: [.network, .idleTimeout, .streamedRequests]
        ) { run in
            let server = try run.server(.readRequest, .respond(content: "whole"), .stall)
            let timeouts = NetworkRequest.Timeouts(total: .seconds(50), idle: .seconds(2))
            let source = ListedSource(Array(repeating: "x", count: 12), pause: .milliseconds(250))
            let request = try NetworkRequest.to(server.url, .post, timeouts: timeouts).from(source)
            try expect("the content", try await run.transport().load(request).text, is: "whole")
            try expect("the number of bytes that were sent", server.log.last?.content.count, is: 12)
        },
        ConformanceScenario(
            "time/connect-tls",
            "The limit for connecting ends a TLS handshake without an answer, before anything is sent.",
            needs: [.network, .connectTimeout, .tls]
        ) { run in
            let server = try run.server(.stall)
            let timeouts = NetworkRequest.Timeouts(total: .seconds(40), connect: short)
            let url = "https://127.0.0.1:\(server.port)/"
            let error = try await run.transport().failure(of: .to(url, .post, content: "a", timeouts: timeouts))
            try ExpectedFailure(.timedOut, [.connect, .tls], .notSent).check(error)
            try expect("the limit", error.timeLimit, is: .connect)
        },
        ConformanceScenario("time/stream", "The total limit holds until the end of streamed content.") { run in
            let server = try run.server(.readRequest, head, .stall)
            let request = try NetworkRequest.to(server.url, timeouts: .init(total: .seconds(1)))
            let error = try await run.transport().streamFailure(of: request)
            try ExpectedFailure(.timedOut).check(error)
        },
    ]

    private static func timeout(
        _ name: String,
        _ sentence: String,
        _ capability: TransportCapabilities,
        _ script: [ScriptedServer.Step],
        _ timeouts: NetworkRequest.Timeouts,
        _ limit: SwiftyError.TimeLimit
    ) -> ConformanceScenario {
        ConformanceScenario("time/\(name)", sentence, needs: [.network, capability]) { run in
            let server = try run.server { _ in script }
            let error = try await run.transport().failure(of: .to(server.url, timeouts: timeouts))
            try ExpectedFailure(.timedOut).check(error)
            try expect("the limit", error.timeLimit, is: limit)
            try expect(error.sent != .notSent, "the request counts as not sent")
            try await eventually("the connection is closed") { server.openConnectionCount == 0 }
        }
    }

    /// The early end of loads.
    static let cancellation = [
        ConformanceScenario("cancellation/before", "A load that was cancelled before is never sent.") { run in
            let (server, transport) = (try run.server(.readRequest, .respond()), run.transport())
            for _ in 0..<10 {
                let cancellation = LoadCancellation()
                cancellation.cancel()
                let error = try await transport.failure(of: .to(server.url), cancellation: cancellation)
                try ExpectedFailure(.cancelled, [], .notSent).check(error)
            }
            try expect("the number of connections", server.connectionCount, is: 0)
        },
        ConformanceScenario("cancellation/waiting", "A load that waits for its response ends, and its connection.") {
            run in
            let server = try run.server(.readRequest, .stall)
            let error = try await cancelled(over: run.transport(), .to(server.url)) { server.log.count == 1 }
            try ExpectedFailure(.cancelled, [], .maybeSent).check(error)
            try await eventually("the connection is closed") { server.openConnectionCount == 0 }
        },
        ConformanceScenario(
            "cancellation/in-content",
            "A load in its content ends, with the head and what arrived.",
            needs: [.network, .partialResponses, .transferEvents]
        ) { run in
            let server = try run.server(.readRequest, head, .stall)
            let events = RecordedEvents()
            let request = try NetworkRequest.to(server.url).recorded(by: events)
            let error = try await cancelled(over: run.transport(), request) { events.names.contains("200") }
            try ExpectedFailure(.cancelled, [.content], .responded).check(error)
            try expect("the status", error.statusCode, is: 200)
        },
        ConformanceScenario("cancellation/one-of-many", "Other loads go on.") { run in
            let isCancelled = Promise<Bool>()
            let server = try run.loopbackServer { server in
                server.route("GET", "/other") { _ in
                    _ = await isCancelled.value()
                    return .text("abc")
                }
                server.route("GET", "/hang") { _ in
                    try await Task.sleep(for: .seconds(3_600))
                    return .status(200)
                }
            }
            let transport = run.transport()
            async let other = transport.text(of: "\(server.url)/other")
            let error = try await cancelled(over: transport, .to("\(server.url)/hang")) { server.log.count == 2 }
            isCancelled.resolve(true)
            try ExpectedFailure(.cancelled).check(error)
            try expect("the other content", try await other, is: "abc")
        },
        ConformanceScenario("cancellation/upload", "An upload that the server does not read ends.") { run in
            let server = try run.server(.readHead, .stall)
            let content = String(repeating: "a", count: 20_000_000)
            let request = try NetworkRequest.to(server.url, .post, content: content)
            let error = try await cancelled(over: run.transport(), request) { server.log.count == 1 }
            try ExpectedFailure(.cancelled, [], .maybeSent).check(error)
        },
        ConformanceScenario("cancellation/shutdown", "A shutdown ends all loads, and closes all connections.") { run in
            let (server, transport) = (try run.server(.readRequest, .stall), run.transport())
            try await withThrowingTaskGroup(of: SwiftyError.self) { group in
                for _ in 0..<5 { group.addTask { try await transport.failure(of: .to(server.url)) } }
                try await eventually("all requests arrive") { server.log.count == 5 }
                await transport.shutdown()
                for try await error in group { try ExpectedFailure(.shutdown, [], .maybeSent).check(error) }
            }
            try await eventually("the connections are closed") { server.openConnectionCount == 0 }
        },
        ConformanceScenario("cancellation/shutdown-idle", "A shutdown closes idle connections.") { run in
            let (server, transport) = (try run.server(.readRequest, .respond(), .stall), run.transport())
            _ = try await transport.load(.to(server.url))
            await transport.shutdown()
            try await eventually("the connection is closed") { server.openConnectionCount == 0 }
        },
    ]

    /// The error of a load that is cancelled once something has happened.
    private static func cancelled(
        over transport: any Transport,
        _ request: NetworkRequest,
        after event: () async throws -> Bool
    ) async throws -> SwiftyError {
        let cancellation = LoadCancellation()
        async let failure = transport.failure(of: request, cancellation: cancellation)
        try await eventually("the load is on its way", event)
        cancellation.cancel()
        return try await failure
    }
}

extension Transport {
    /// The error of a streamed load: of its head, or of its content.
    func streamFailure(of request: NetworkRequest) async throws -> SwiftyError {
        let response: StreamedResponse
        do throws(SwiftyError) {
            response = try await open(request)
        } catch {
            return error
        }
        return try await response.content.failure()
    }
}
