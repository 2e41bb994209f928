// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyTesting
import Synchronization
import TestSupport
import Testing

@Suite("The content of a stream that comes too late", .timeLimit(.minutes(15)))
struct StreamedLimitTests {
    /// Answers at once, and ends the content when the time is up that the request has left.
    private struct StallingTransport: Transport {
        let clock: TestClock

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
            let content = StallingContent(clock: clock, time: request.timeouts.total ?? .zero)
            return StreamedResponse(head: ResponseHead(statusCode: 200), content: content)
        }

        func shutdown() async {}
    }

    private final class StallingContent: StreamedContent {
        let clock: TestClock
        let time: Duration
        let trailers: HTTPFields = [:]
        let metrics = TransferMetrics()

        init(clock: TestClock, time: Duration) {
            (self.clock, self.time) = (clock, time)
        }

        nonisolated(nonsending) func next() async throws(SwiftyError) -> Data? {
            try? await clock.sleep(for: time)
            var error = SwiftyError(.timedOut, stage: .content, sent: .responded, reason: "too late")
            error.timeLimit = .total
            throw error
        }

        func cancel() {}
    }

    private func error(total: Duration?, attempt: Duration?) async throws -> SwiftyError? {
        let clock = TestClock()
        let swifty = Swifty(transport: StallingTransport(clock: clock)) { $0.clock = clock }
        let stream = try await swifty.api.get("x").timeout(total: total, attempt: attempt).stream()
        async let advance: Void = clock.run()
        let error = await #expect(throws: SwiftyError.self) { for try await _ in stream {} }
        await advance
        return error
    }

    @Test("names the limit of its attempt")
    func attempt() async throws {
        let error = try await error(total: .seconds(60), attempt: .seconds(5))
        #expect(error?.timeLimit == .attempt)
        #expect(error?.reason.contains("the attempt took longer than 5.0 seconds") == true)
    }

    @Test("names the limit of the whole call")
    func total() async throws {
        let error = try await error(total: .seconds(5), attempt: .seconds(60))
        #expect(error?.timeLimit == .total)
        #expect(error?.reason.contains("the whole call took longer than 5.0 seconds") == true)
    }
}
