// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyTestServers
import SwiftyTesting
import TestSupport
import Testing

/// A transport whose requests are answered by number: each by a closure that may wait.
private func numbered(
    _ answer: @escaping @Sendable (_ number: Int, NetworkRequest) async throws -> Int
) -> StubTransport {
    let count = Counter()
    return StubTransport { request in
        let status = try await answer(count.increment(), request)
        return TransportResponse(head: ResponseHead(statusCode: status), content: Data("\(status)".utf8))
    }
}

private struct Unchanged: AttemptInterceptor {
    func intercept(attempt: RetryPolicy.Context) -> RetryPolicy.Decision { attempt.proposal }
}

@Suite("A hedged request", .timeLimit(.minutes(15)))
struct HedgingTests {
    private let hedging = HedgingPolicy(after: .milliseconds(1))

    @Test("is sent again when it is slow, and the first response counts")
    func second() async throws {
        let stub = numbered { number, _ in
            if number == 1 { await untilCancelled() }
            return 200 + number
        }
        let swifty = Swifty(transport: stub)
        let response = try await swifty.api.get("x").hedging(hedging).load()
        #expect(response.statusCode == 202)
        #expect(response.metrics.hedges == 1)
        #expect(response.metrics.attempts.count == 1)
        #expect(stub.requests.count == 2)
        try await until { swifty.admissionStatistics.inFlight == 0 }
    }

    @Test("is sent once if the response is fast, or if the policy has one request")
    func fast() async throws {
        let stub = numbered { _, _ in 200 }
        let swifty = Swifty(transport: stub) { $0.hedging = HedgingPolicy(after: .seconds(600)) }
        let response = try await swifty.api.get("x").load()
        #expect(response.metrics.hedges == 0)
        let slow = numbered { number, _ in
            if number == 1 { try await Task.sleep(for: .milliseconds(50)) }
            return 200
        }
        let none = Swifty(transport: slow) { $0.hedging = HedgingPolicy(after: .zero) }
        #expect(try await none.api.get("x").hedging(.none).load().metrics.hedges == 0)
        #expect(slow.requests.count == 1)
    }

    @Test("is not sent again if it may not be repeated, or cannot", arguments: [true, false])
    func unrepeatable(isPost: Bool) async throws {
        let begun = Counter()
        let stub = numbered { _, request in
            begun.increment()
            // A request with a key waits for the two others, and one without for some that must not come.
            let isKeyed = request.headers.idempotencyKey != nil
            if isKeyed { try await until { begun.value == 4 } } else { try await Task.sleep(for: .milliseconds(50)) }
            return 200
        }
        let base = Swifty(transport: stub).api
        let resource = isPost ? base.post("x").text("a") : base.put("x").stream { AsyncStream<Data> { $0.finish() } }
        try await resource.hedging(HedgingPolicy(after: .zero, maximumRequests: 5)).load()
        #expect(stub.requests.count == 1)
        let keyed = base.post("x").text("a").idempotencyKey()
        try await keyed.hedging(HedgingPolicy(after: .zero, maximumRequests: 3)).load()
        let keys = stub.requests.filter { $0.headers.idempotencyKey != nil }.map { $0.values(of: "Idempotency-Key") }
        #expect(Set(keys).count == 1)
        #expect(keys.count == 3)
    }

    @Test("is sent as often as the policy says, and the error of all is that of the first")
    func failures() async throws {
        let began = Counter()
        let stub = numbered { number, _ in
            began.increment()
            try await until { began.value == 3 }
            throw SwiftyError(number == 1 ? .connectionLost : .tlsFailed, stage: .firstByte, sent: .maybeSent)
        }
        let resource = Swifty(transport: stub).api.get("x").hedging(HedgingPolicy(after: .zero, maximumRequests: 3))
        let error = await #expect(throws: SwiftyError.self) { try await resource.load() }
        #expect([.connectionLost, .tlsFailed].contains(error?.code))
        #expect(error?.sent == .maybeSent)
        #expect(error?.metrics?.hedges == 2)
        #expect(stub.requests.count == 3)
    }

    @Test("continues with the other request if the first one fails")
    func firstFails() async throws {
        let second = Gate()
        let stub = numbered { number, _ in
            if number == 1 {
                await second.wait()
                throw SwiftyError(.connectionLost, stage: .firstByte, sent: .maybeSent)
            }
            second.open()
            try await Task.sleep(for: .milliseconds(20))
            return 200
        }
        #expect(try await Swifty(transport: stub).api.get("x").hedging(hedging).load().statusCode == 200)
    }

    @Test("draws on the retry budget of the host")
    func budget() async throws {
        let begun = Counter()
        let stub = numbered { number, _ in
            begun.increment()
            // The first two loads wait for a second request; there must be none in those after them.
            if number <= 4 { try await until { begun.value >= (number + 1) / 2 * 2 } }
            try await Task.sleep(for: .milliseconds(20))
            return 200
        }
        let swifty = Swifty(transport: stub) {
            $0.hedging = HedgingPolicy(after: .zero)
            $0.retryBudget = RetryPolicy.Budget(share: 0, reserve: 2)
        }
        var hedges = 0
        for _ in 0..<5 { hedges += try await swifty.api.get("x").load().metrics.hedges }
        #expect(hedges == 2)
    }

    @Test("deposits once in the budget, also if an interceptor may ask for another attempt")
    func deposits() async throws {
        let begun = Counter()
        let stub = numbered { _, request in
            if request.target.path == "/fast" { return 200 }
            let expected = begun.increment() <= 3 ? 3 : 5
            try await until { begun.value >= expected }
            try await Task.sleep(for: .milliseconds(20))
            return 200
        }
        let swifty = Swifty(transport: stub) {
            $0.retryBudget = RetryPolicy.Budget(share: 0.5, reserve: 2)
            $0.use(Unchanged())
        }
        let slow = swifty.api.get("slow").hedging(HedgingPolicy(after: .zero, maximumRequests: 5))
        #expect(try await slow.load().metrics.hedges == 2)
        let fast = swifty.api.get("fast").hedging(HedgingPolicy(after: .seconds(600)))
        for _ in 0..<2 { try await fast.load() }
        #expect(try await slow.load().metrics.hedges == 1)
    }

    @Test("counts as perhaps processed, whatever the response of the other one says")
    func rivals() async throws {
        let stub = numbered { number, _ in
            if number == 1 { await untilCancelled() }
            if number == 2 { return 503 }
            throw SwiftyError(.connectionFailed, stage: .connect)
        }
        let policy = RetryPolicy(maximumAttempts: 2, backoff: RetryPolicy.Backoff(initial: .zero))
        let error = await #expect(throws: SwiftyError.self) {
            try await Swifty(transport: stub).api.get("x").hedging(hedging).retry(policy).load()
        }
        #expect(error?.code == .connectionFailed)
        #expect(error?.sent == .maybeSent)
    }

    @Test("is not sent again at the end of its time limit")
    func overdue() async throws {
        let clock = TestClock()
        let stub = numbered { _, _ in
            await untilCancelled()
            return 200
        }
        let swifty = Swifty(transport: stub) { $0.clock = clock }
        let policy = HedgingPolicy(after: .seconds(2), maximumRequests: 3)
        let task = Task { try await swifty.api.get("x").hedging(policy).timeout(.seconds(2)).load() }
        await clock.waitForSleepers(1)
        await clock.advance(by: .seconds(2))
        try await Task.sleep(for: .milliseconds(20))
        #expect(stub.requests.count == 1)
        task.cancel()
        _ = await task.result
    }

    @Test("ends with its load: no request outlives a cancellation")
    func cancelled() async throws {
        let ended = Counter()
        let began = Counter()
        let stub = numbered { _, _ in
            began.increment()
            await untilCancelled()
            ended.increment()
            return 200
        }
        let swifty = Swifty(transport: stub)
        let task = Task { try await swifty.api.get("x").hedging(hedging).load() }
        try await until { began.value == 2 }
        task.cancel()
        let error = await #expect(throws: SwiftyError.self) { try await task.value }
        #expect(error?.code == .cancelled)
        try await until { ended.value == 2 }
        try await until { swifty.admissionStatistics.inFlight == 0 }
    }

    @Test("ends at the time limit of its load, over the network")
    func timedOut() async throws {
        let server = try LoopbackServer()
        let swifty = Swifty()
        let resource = BaseResource(server.url, networkInterface: swifty).get("delay/60").hedging(hedging)
        let error = await #expect(throws: SwiftyError.self) {
            try await resource.timeout(.milliseconds(300)).load()
        }
        #expect(error?.code == .timedOut)
        #expect(error?.timeLimit == .total)
        try await until { swifty.admissionStatistics.inFlight == 0 }
    }

    @Test("does not share the slow transfer where equal requests are coalesced")
    func coalescing() async throws {
        let stub = numbered { number, _ in
            if number == 1 { await untilCancelled() }
            return 200
        }
        let swifty = Swifty(transport: stub) {
            $0.coalesces = true
            $0.hedging = hedging
        }
        #expect(try await swifty.api.get("x").load().metrics.hedges == 1)
    }

    @Test("reports the events of the transfer that counts, and follows redirects")
    func redirects() async throws {
        let stub = StubTransport { request in
            let isLast = request.target.path == "/next"
            let fields: HTTPFields = isLast ? [:] : [.location: "/next"]
            let head = ResponseHead(statusCode: isLast ? 200 : 302, headers: fields)
            return TransportResponse(head: head, content: Data())
        }
        let response = try await Swifty(transport: stub).api.get("x").hedging(hedging).load()
        #expect(response.metrics.redirects.count == 1)
        #expect(response.request?.target.path == "/next")
    }
}
