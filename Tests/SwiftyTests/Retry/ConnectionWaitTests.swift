// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyTesting
import TestSupport
import Testing

@Suite("A wait for a connection", .timeLimit(.minutes(15)))
struct ConnectionWaitTests {
    private func stub(failures: Int, _ code: SwiftyError.Code = .nameResolutionFailed) -> StubTransport {
        let count = Counter()
        return StubTransport { _ in
            if count.increment() <= failures { throw SwiftyError(code, stage: .nameLookup, sent: .notSent) }
            return TransportResponse(head: ResponseHead(statusCode: 200), content: Data())
        }
    }

    private func policy(_ wait: Duration?, attempts: Int = 1) -> RetryPolicy {
        RetryPolicy(maximumAttempts: attempts, backoff: .init(hasJitter: false), connectionWait: wait)
    }

    /// Advances a clock until a condition holds.
    private func advance(_ clock: TestClock, until condition: () -> Bool) async throws {
        try await until {
            await clock.advance(by: .milliseconds(100))
            return condition()
        }
    }

    @Test("repeats attempts that reach no server, beyond their number and the budget", arguments: [true, false])
    func repeats(isByName: Bool) async throws {
        let clock = TestClock()
        let stub = stub(failures: 30, isByName ? .nameResolutionFailed : .connectionFailed)
        let swifty = Swifty(transport: stub) {
            $0.clock = clock
            $0.retry = policy(.seconds(600))
            $0.retryBudget = .init(share: 0, reserve: 0)
        }
        async let response = swifty.api.post("x").load()
        try await advance(clock) { stub.requests.count == 31 }
        #expect(try await response.metrics.attempts.count == 31)
    }

    @Test("ends after its time, and then with the error")
    func ends() async throws {
        let clock = TestClock()
        let stub = stub(failures: .max)
        let swifty = Swifty(transport: stub) {
            $0.clock = clock
            $0.retry = policy(.seconds(12))
        }
        let task = Task { try await swifty.api.get("x").load() }
        let isEnded = Counter()
        Task {
            _ = try? await task.value
            isEnded.increment()
        }
        try await advance(clock) { isEnded.value == 1 }
        let error = await #expect(throws: SwiftyError.self) { try await task.value }
        #expect(error?.code == .nameResolutionFailed)
        // 0.2, 0.4, 0.8, 1.6, 3.2 and 5 s make 11.2 s.
        #expect(stub.requests.count == 7)
    }

    @Test("is none by default, and none for a request that may have been sent")
    func others() async throws {
        let plain = stub(failures: 1)
        await #expect(throws: SwiftyError.self) {
            try await Swifty(transport: plain).api.get("x").retry(policy(nil)).load()
        }
        #expect(plain.requests.count == 1)
        let sent = StubTransport { _ in throw SwiftyError(.connectionLost, stage: .firstByte, sent: .maybeSent) }
        await #expect(throws: SwiftyError.self) {
            try await Swifty(transport: sent).api.get("x").retry(policy(.seconds(600))).load()
        }
        #expect(sent.requests.count == 1)
    }

    @Test("waits at least 100 ms, whatever the backoff is")
    func shortest() async throws {
        let clock = TestClock()
        let stub = stub(failures: .max)
        let swifty = Swifty(transport: stub) {
            $0.clock = clock
            $0.retry = RetryPolicy(maximumAttempts: 1, backoff: .none, connectionWait: .seconds(1))
        }
        let isEnded = Counter()
        let task = Task {
            defer { isEnded.increment() }
            return try await swifty.api.get("x").load()
        }
        try await advance(clock) { isEnded.value == 1 }
        await #expect(throws: SwiftyError.self) { try await task.value }
        #expect(stub.requests.count == 11)
    }

    @Test("counts attempts that reach a server as before")
    func counted() async throws {
        let count = Counter()
        let stub = StubTransport { _ in
            if count.increment() <= 2 { throw SwiftyError(.connectionFailed, stage: .connect, sent: .notSent) }
            return TransportResponse(head: ResponseHead(statusCode: 503), content: Data())
        }
        let retry = RetryPolicy(maximumAttempts: 3, backoff: .none, connectionWait: .seconds(600))
        let response = try await Swifty(transport: stub).api.get("x").retry(retry).validate(status: .any).load()
        #expect(response.statusCode == 503)
        #expect(stub.requests.count == 5)
    }
}
