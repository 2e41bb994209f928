// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyTesting
import Synchronization
import TestSupport
import Testing

@Suite("Retries", .timeLimit(.minutes(15)))
struct RetryTests {
    /// Responds with the given statuses in turn, and then always with the last one; 0 is a lost connection.
    private func stub(_ statuses: [Int], headers: HTTPFields = [:]) -> StubTransport {
        let calls = Counter()
        return StubTransport { _ in
            let status = statuses[min(calls.increment(), statuses.count) - 1]
            if status == 0 { throw SwiftyError(.connectionLost, stage: .content, sent: .maybeSent) }
            return TransportResponse(
                head: ResponseHead(statusCode: status, headers: headers),
                content: Data("\(status)".utf8)
            )
        }
    }

    private func swifty(_ stub: StubTransport, _ retry: RetryPolicy = RetryPolicy(backoff: .none)) -> Swifty {
        Swifty(transport: stub) { $0.retry = retry }
    }

    @Test("end in success, and the response has every attempt")
    func success() async throws {
        let stub = stub([503, 0, 200])
        let response = try await swifty(stub).api.get("x").load()
        #expect(response.string == "200")
        #expect(response.metrics.attempts.map(\.statusCode) == [503, nil, 200])
        #expect(response.metrics.attempts.map(\.errorCode) == [nil, .connectionLost, nil])
        #expect(stub.requests.count == 3)
    }

    @Test("of the transport's own are attempts, too")
    func repetitions() async throws {
        let stub = StubTransport { _ in
            var metrics = TransferMetrics()
            metrics.repetitions = 2
            return TransportResponse(head: ResponseHead(statusCode: 200), content: Data(), metrics: metrics)
        }
        let metrics = try await Swifty(transport: stub).api.get("x").load().metrics
        #expect(metrics.attempts.map(\.errorCode) == [.connectionLost, .connectionLost, nil])
        #expect(metrics.attempts.map(\.statusCode) == [nil, nil, 200])
    }

    @Test("end in the last failure, and the error has every attempt")
    func failure() async throws {
        let stub = stub([0, 502, 500])
        let error = await #expect(throws: SwiftyError.self) { try await swifty(stub).api.get("x").load() }
        #expect(error?.code == .unacceptableStatus)
        #expect(error?.statusCode == 500)
        #expect(error?.content == Data("500".utf8))
        #expect(error?.attempts.map(\.statusCode) == [nil, 502, 500])
    }

    @Test(
        "end in an error that says that nothing was sent only if no attempt may have been processed",
        arguments: [
            (0, SwiftyError.SentState.maybeSent), (500, .maybeSent), (503, .notSent), (425, .notSent), (-1, .notSent),
        ]
    )
    func sentState(first: Int, sent: SwiftyError.SentState) async {
        let refused = SwiftyError(.connectionFailed, stage: .connect, sent: .notSent)
        let calls = Counter()
        let stub = StubTransport { _ in
            if calls.increment() > 1 || first < 0 { throw refused }
            if first == 0 { throw SwiftyError(.connectionLost, stage: .content, sent: .maybeSent) }
            return TransportResponse(head: ResponseHead(statusCode: first), content: Data())
        }
        let swifty = swifty(stub)
        let error = await #expect(throws: SwiftyError.self) { try await swifty.api.put("x").text("a").load() }
        #expect(error?.code == .connectionFailed && error?.sent == sent)
        #expect(error?.attempts.map(\.sent).last == .notSent)
        // The second attempt fails in an interceptor.
        let runs = Counter()
        let failing = Swifty(transport: self.stub([first == -1 ? 503 : first])) {
            $0.retry = RetryPolicy(backoff: .none)
            $0.use(
                RequestHook { resource in
                    if runs.increment() > 1 { throw POSIXError(.EIO) }
                    return resource
                }
            )
        }
        let thrown = await #expect(throws: SwiftyError.self) { try await failing.api.put("x").text("a").load() }
        #expect(thrown?.code == .interceptorFailed && thrown?.sent == sent)
    }

    @Test("are not made unless asked for, nor after a success, nor of a request that must not be repeated")
    func none() async throws {
        let plain = stub([503])
        _ = try? await Swifty(transport: plain).api.get("x").load()
        #expect(plain.requests.count == 1)
        let accepted = stub([404])
        _ = try await swifty(accepted).api.get("x").validate(status: .any).load()
        #expect(accepted.requests.count == 1)
        let post = stub([0])
        _ = try? await swifty(post).api.post("x").text("a").load()
        #expect(post.requests.count == 1)
        let off = stub([503])
        _ = try? await swifty(off).api.get("x").retry(.none).load()
        #expect(off.requests.count == 1)
        let on = stub([503, 200])
        _ = try await Swifty(transport: on).api.get("x").retry(RetryPolicy(maximumAttempts: 2, backoff: .none)).load()
        #expect(on.requests.count == 2)
    }

    @Test("run the interceptors once for each attempt, on a fresh copy")
    func interceptors() async throws {
        let stub = stub([503, 503, 200])
        let runs = Counter()
        let hook = RequestHook { $0.addHeader("X-Attempt", "\(runs.increment())").query(["a": 1]) }
        let seen = Counter()
        let response = ResponseHook { response in
            seen.increment()
            return response
        }
        var configuration = Swifty.Configuration()
        configuration.retry = RetryPolicy(backoff: .none)
        let swifty = Swifty(transport: stub) {
            $0 = configuration
            $0.use(hook)
            $0.use(response)
        }
        _ = try await swifty.api.get("x").load()
        #expect(stub.requests.map { $0.values(of: "X-Attempt") } == [["1"], ["2"], ["3"]])
        #expect(stub.requests.allSatisfy { $0.target.query == "a=1" })
        #expect(seen.value == 1)
    }

    @Test("send one idempotency key if an interceptor or the policy asks for it")
    func lateIdempotencyKey() async throws {
        let stub = stub([0, 0, 200])
        let swifty = Swifty(transport: stub) {
            $0.retry = RetryPolicy(backoff: .none)
            $0.use(RequestHook { $0.idempotencyKey() })
        }
        _ = try await swifty.api.post("x").load()
        let keys = stub.requests.map { $0.headers[.idempotencyKey] }
        #expect(keys.count == 3)
        #expect(Set(keys).count == 1)
        #expect(keys.first??.utf8.count == 32)

        let changed = self.stub([503, 503, 200])
        let policy = RetryPolicy(backoff: .none) { _ in .retry(after: .zero) { _ = $0.idempotencyKey() } }
        _ = try await Swifty(transport: changed).api.get("x").retry(policy).load()
        let later = changed.requests.map { $0.headers[.idempotencyKey] }
        try #require(later.count == 3)
        #expect(later[0] == nil)
        #expect(later[1] != nil)
        #expect(later[1] == later[2])
    }

    @Test("send the same idempotency key, a different one for each load; streams are made again")
    func idempotencyKey() async throws {
        let stub = stub([0, 0, 200, 0, 200])
        let makes = Counter()
        let resource = swifty(stub).api.post("x").idempotencyKey().stream {
            makes.increment()
            return AsyncStream { continuation in
                continuation.yield(Data("body".utf8))
                continuation.finish()
            }
        }
        _ = try await resource.load()
        _ = try await resource.load()
        let keys = stub.requests.map { $0.headers[.idempotencyKey] ?? "" }
        try #require(keys.count == 5)
        #expect(Set(keys[0..<3]).count == 1)
        #expect(Set(keys[3..<5]).count == 1)
        #expect(keys[0] != keys[3])
        #expect(keys[0].utf8.count == 32)
        #expect(stub.requests.allSatisfy { $0.content.data == Data("body".utf8) })
        #expect(makes.value == 5)
        let fixed = self.stub([503, 200])
        _ = try await swifty(fixed).api.post("x").idempotencyKey("mine").load()
        #expect(fixed.requests.map { $0.headers[.idempotencyKey] } == ["mine", "mine"])
    }

    @Test("wait on the clock of the Swifty: by backoff, or as long as the server asks")
    func waiting() async throws {
        let clock = TestClock()
        let stub = stub([503, 200], headers: [.retryAfter: "7"])
        let policy = RetryPolicy(backoff: RetryPolicy.Backoff(initial: .seconds(2), hasJitter: false))
        let swifty = Swifty(transport: stub) {
            $0.retry = policy
            $0.clock = clock
        }
        let load = Task { try await swifty.api.get("x").load() }
        await clock.waitForSleepers(1)
        await clock.advance(by: .seconds(6.9))
        #expect(stub.requests.count == 1)
        await clock.advance(by: .seconds(0.1))
        let response = try await load.value
        #expect(response.metrics.attempts.map(\.wait) == [.zero, .seconds(7)])
        #expect(response.metrics.total == .seconds(7))
    }

    @Test("end at the time limit of the whole call, without beginning a wait that exceeds it")
    func deadline() async throws {
        let clock = TestClock()
        let stub = stub([503])
        let policy = RetryPolicy(
            maximumAttempts: 10,
            backoff: RetryPolicy.Backoff(initial: .seconds(4), multiplier: 1, hasJitter: false)
        )
        let swifty = Swifty(transport: stub) {
            $0.retry = policy
            $0.clock = clock
        }
        let load = Task { try await swifty.api.get("x").timeout(.seconds(10)).load() }
        for _ in 0..<2 {
            await clock.waitForSleepers(1)
            await clock.advance(by: .seconds(4))
        }
        let error = await #expect(throws: SwiftyError.self) { try await load.value }
        #expect(error?.statusCode == 503)
        #expect(stub.requests.count == 3)
        #expect(stub.requests.map(\.timeouts.total) == [.seconds(10), .seconds(6), .seconds(2)])
    }

    @Test("can be cancelled while they wait, and then nothing more is sent")
    func cancellation() async throws {
        let clock = TestClock()
        let stub = stub([503])
        let policy = RetryPolicy(backoff: RetryPolicy.Backoff(initial: .seconds(4), hasJitter: false))
        let swifty = Swifty(transport: stub) {
            $0.retry = policy
            $0.clock = clock
        }
        let load = Task { try await swifty.api.get("x").tag("t").load() }
        await clock.waitForSleepers(1)
        #expect(swifty.cancelLoads(withTag: "t", reason: "the user left") == 1)
        let error = await #expect(throws: SwiftyError.self) { try await load.value }
        #expect(error?.code == .cancelled)
        #expect(error?.reason == "the user left")
        #expect(error?.attempts.count == 1)
        #expect(stub.requests.count == 1)
    }

    @Test("share a budget for each host")
    func budget() async throws {
        let stub = stub([503])
        var configuration = Swifty.Configuration()
        configuration.retry = RetryPolicy(maximumAttempts: 3, backoff: .none)
        configuration.retryBudget = RetryPolicy.Budget(share: 0.2, reserve: 5)
        let swifty = Swifty(configuration: configuration, transport: stub)
        for _ in 0..<500 { _ = try? await swifty.api.get("x").load() }
        #expect((500...605).contains(stub.requests.count), "\(stub.requests.count)")
    }

    @Test("may be decided by the content, also of a response whose status is a success")
    func content() async throws {
        let number = Mutex(0)
        let stub = StubTransport { _ in
            let count = number.withLock { number in
                number += 1
                return number
            }
            let text = count < 3 ? #"{"error":"busy"}"# : #"{"value":7}"#
            return TransportResponse(head: ResponseHead(statusCode: 200), content: Data(text.utf8))
        }
        let policy = RetryPolicy(maximumAttempts: 5, statuses: [200]) { context in
            let isBusy = context.content.map { String(decoding: $0, as: UTF8.self).contains("busy") } ?? false
            return isBusy ? .retry(after: .zero) : .stop
        }
        let api = Swifty(transport: stub).api
        #expect(try await api.get("x").retry(policy).decode(Int.self, at: "value").load() == 7)
        #expect(stub.requests.count == 3)
        // A request that may have been processed is not sent again, whatever its content says.
        number.withLock { $0 = 0 }
        #expect(try await api.post("x").retry(policy).load().string == #"{"error":"busy"}"#)
        number.withLock { $0 = 0 }
        let stream = try await api.get("x").retry(policy).stream()
        #expect(try await stream.collect(limit: 99) == Data(#"{"error":"busy"}"#.utf8))
    }

    @Test("follow the decisions of the policy's closure, within the replay rule")
    func custom() async throws {
        let contexts = Recording<RetryPolicy.Context>()
        let policy = RetryPolicy(maximumAttempts: 5, backoff: .none) { context in
            contexts.append(context)
            if context.statusCode == 404 {
                return .retry(after: .zero) { $0.header("X-Fallback", "yes") }
            }
            return .stop
        }
        let stub = stub([404, 503])
        _ = try? await swifty(stub, policy).api.get("x").load()
        #expect(stub.requests.map { $0.values(of: "X-Fallback") } == [[], ["yes"]])
        let seen = contexts.values
        #expect(seen.map(\.attempts) == [1, 2])
        #expect(seen.first?.request?.target.path == "/x")
        #expect(seen.first?.error == nil)
        let eager = RetryPolicy(maximumAttempts: 5) { _ in .retry(after: .zero) }
        let post = self.stub([0])
        _ = try? await swifty(post, eager).api.post("x").load()
        #expect(post.requests.count == 1)
    }

    @Test("after a 421 use a new connection")
    func misdirected() async throws {
        let stub = stub([421, 200])
        _ = try await swifty(stub).api.post("x").load()
        #expect(stub.requests.map(\.requiresNewConnection) == [false, true])
    }
}
