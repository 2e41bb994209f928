// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyTestServers
import SwiftyTesting
import TestSupport
import Testing

/// Records attempts, and decides by a closure.
private struct Watch: AttemptInterceptor {
    var maximumAttempts = 3
    let seen = Recording<String>()
    var decide: @Sendable (RetryPolicy.Context) async throws -> RetryPolicy.Decision = { $0.proposal }

    func intercept(attempt: RetryPolicy.Context) async throws -> RetryPolicy.Decision {
        let outcome = attempt.statusCode.map { "\($0)" } ?? "\(attempt.error?.code.rawValue ?? "")"
        seen.append("\(attempt.attempts): \(outcome)")
        return try await decide(attempt)
    }
}

@Suite("An interceptor of attempts", .timeLimit(.minutes(15)))
struct AttemptInterceptorTests {
    struct Mine: Error {}

    /// A transport with one status after the other, and the last one for ever.
    private func stub(_ statuses: Int..., content: String = "") -> StubTransport {
        let count = Counter()
        return StubTransport { _ in
            let status = statuses[min(count.increment(), statuses.count) - 1]
            if status == 0 { throw SwiftyError(.connectionFailed, stage: .connect, sent: .notSent) }
            return TransportResponse(head: ResponseHead(statusCode: status), content: Data(content.utf8))
        }
    }

    private func retrying(_ codes: Set<Int>) -> @Sendable (RetryPolicy.Context) -> RetryPolicy.Decision {
        { attempt in codes.contains(attempt.statusCode ?? 0) ? .retry(after: .zero) : attempt.proposal }
    }

    @Test("sees every attempt: those that the policy repeats, accepted ones, and failures")
    func everyAttempt() async throws {
        let watch = Watch()
        let policy = RetryPolicy(maximumAttempts: 4, backoff: .none)
        let swifty = Swifty(transport: stub(503, 0, 200)) {
            $0.use(watch)
            $0.retry = policy
        }
        let response = try await swifty.api.get("x").load()
        #expect(response.statusCode == 200)
        #expect(watch.seen.values == ["1: 503", "2: connectionFailed", "3: 200"])
    }

    @Test("asks for another attempt, up to its own number or that of the policy")
    func another() async throws {
        for (own, policy, attempts) in [(3, 1, 3), (1, 1, 1), (2, 5, 5), (0, 1, 1), (-1, 1, 1)] {
            let watch = Watch(maximumAttempts: own, decide: retrying([202]))
            let stub = stub(202)
            let resource = Swifty(transport: stub).api.get("x")
            let response = try await resource.use(watch).retry(RetryPolicy(maximumAttempts: policy)).load()
            #expect(response.statusCode == 202)
            #expect(stub.requests.count == attempts)
            #expect(watch.seen.values.count == attempts)
        }
    }

    @Test("changes the request of the next attempt")
    func change() async throws {
        let stub = stub(202, 200)
        let watch = Watch { attempt in
            guard attempt.statusCode == 202 else { return attempt.proposal }
            return .retry(after: .zero) { $0.query("again", true) }
        }
        try await Swifty(transport: stub).api.get("x").use(watch).load()
        #expect(stub.requests.map(\.target.query) == [nil, "again=true"])
    }

    @Test("does not widen the replay rule, and stops what the policy would repeat")
    func rule() async throws {
        let post = stub(500)
        let again = Watch { _ in .retry(after: .zero) }
        _ = try await Swifty(transport: post).api.post("x").use(again).validate(status: .any).load()
        #expect(post.requests.count == 1)
        let get = stub(503)
        let stop = Watch { _ in .stop }
        _ = try await Swifty(transport: get).api.get("x").use(stop).retry(3).validate(status: .any).load()
        #expect(get.requests.count == 1)
    }

    @Test("gets the decision of the one before, and the last one decides")
    func order() async throws {
        let stub = stub(200)
        let proposals = Recording<Bool>()
        let asking = Watch { _ in .retry(after: .zero) }
        let stopping = Watch { attempt in
            if case .retry = attempt.proposal { proposals.append(true) } else { proposals.append(false) }
            return .stop
        }
        try await Swifty(transport: stub).api.get("x").use(asking, stopping).load()
        #expect(stub.requests.count == 1)
        #expect(proposals.values == [true])
    }

    @Test("throws the error of the load, which keeps the response")
    func throwing() async throws {
        let stub = stub(202, content: "wait")
        let watch = Watch { _ in throw Mine() }
        let resource = Swifty(transport: stub).api.get("x").use(watch)
        let error = await #expect(throws: SwiftyError.self) { try await resource.load() }
        #expect(error?.code == .interceptorFailed)
        #expect(error?.underlying is Mine)
        #expect(error?.statusCode == 202)
        #expect(error?.content == Data("wait".utf8))
        #expect(error?.sent == .responded)
        let unsent = Swifty(transport: self.stub(0)).api.get("x").use(watch)
        #expect(await #expect(throws: SwiftyError.self) { try await unsent.load() }?.sent == .notSent)
    }

    @Test("sees the head of a stream, whose content it leaves to the caller or to another attempt")
    func streams() async throws {
        let server = try LoopbackServer()
        let count = Counter()
        let watch = Watch { attempt in
            #expect(attempt.content == nil)
            return count.increment() == 1 ? .retry(after: .zero) : attempt.proposal
        }
        let base = BaseResource(server.url, networkInterface: Swifty())
        #expect(try await base.get("bytes/3000").use(watch).stream().collect(limit: 9000).count == 3000)
        #expect(watch.seen.values == ["1: 200", "2: 200"])
    }

    @Test("is not asked about a load that was cancelled, and does not outlive one")
    func cancelled() async throws {
        let began = Gate()
        let watch = Watch { _ in
            began.open()
            try await hang()
            return .stop
        }
        let swifty = Swifty(transport: stub(200))
        let task = Task { try await swifty.api.get("x").use(watch).load() }
        await began.wait()
        task.cancel()
        await #expect(throws: SwiftyError.self) { try await task.value }
        try await until { swifty.statistics.hooksLeftBehind == 0 }
    }
}
