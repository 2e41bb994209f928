// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyTesting
import TestSupport
import Testing

/// An accepted response that an attempt interceptor discards, and whose rest is received before the next attempt.
@Suite("A streamed response that is discarded", .timeLimit(.minutes(15)))
struct DiscardedStreamTests {
    private struct Again: AttemptInterceptor {
        let maximumAttempts = 2

        func intercept(attempt: RetryPolicy.Context) async throws -> RetryPolicy.Decision {
            attempt.attempts == 1 ? .retry(after: .seconds(45)) : .stop
        }
    }

    /// The rest of a response, which ends when the test says so.
    private final class Rest: StreamedContent {
        let (asked, end) = (Gate(), Gate())
        let trailers: HTTPFields = [:]
        let metrics = TransferMetrics()

        nonisolated(nonsending) func next() async throws(SwiftyError) -> Data? {
            asked.open()
            await end.wait()
            return nil
        }

        func cancel() {}
    }

    private struct RestingTransport: Transport {
        let rest = Rest()

        func send(
            _ request: NetworkRequest,
            cancellation: LoadCancellation
        ) async throws(SwiftyError) -> TransportResponse {
            throw SwiftyError(.transportFailed, stage: .send)
        }

        func stream(
            _ request: NetworkRequest,
            cancellation: LoadCancellation
        ) async throws(SwiftyError) -> StreamedResponse {
            StreamedResponse(head: ResponseHead(statusCode: 200), content: rest)
        }

        func shutdown() async {}
    }

    /// Lets the rest take a time, and returns the result, and the time of the load.
    private func load(
        total: Duration?,
        restTime: Duration
    ) async -> (result: Result<Int, any Error>, time: Duration) {
        let (clock, transport) = (TestClock(), RestingTransport())
        let swifty = Swifty(transport: transport) {
            $0.clock = clock
            $0.use(Again())
        }
        let start = clock.now
        let task = Task { try await swifty.api.get("x").timeout(total: total).stream().head.statusCode }
        await transport.rest.asked.wait()
        await clock.advance(by: restTime)
        transport.rest.end.open()
        if restTime < .seconds(45) { await clock.waitForSleepers(1) }
        await clock.run()
        return (await task.result, start.duration(to: clock.now))
    }

    @Test("is a part of the wait before the next attempt", arguments: [0, 40, 44])
    func part(restSeconds: Int) async throws {
        let (result, time) = await load(total: nil, restTime: .seconds(restSeconds))
        #expect(try result.get() == 200)
        #expect(time == .seconds(45))
    }

    @Test("that takes longer than the wait is followed by the next attempt")
    func longer() async throws {
        let (result, time) = await load(total: nil, restTime: .seconds(70))
        #expect(try result.get() == 200)
        #expect(time == .seconds(70))
    }

    @Test("does not prolong the load beyond its limit")
    func limit() async {
        let (result, time) = await load(total: .seconds(50), restTime: .seconds(40))
        #expect(throws: Never.self) { try result.get() }
        #expect(time == .seconds(45))
        let (late, lateTime) = await load(total: .seconds(46), restTime: .seconds(45) + .milliseconds(900))
        #expect(throws: Never.self) { try late.get() }
        #expect(lateTime == .seconds(45) + .milliseconds(900))
    }
}
