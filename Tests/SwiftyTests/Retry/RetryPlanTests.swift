// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Swifty

@Suite("A retry plan", .timeLimit(.minutes(15)))
struct RetryPlanTests {
    private func request(_ method: HTTPRequest.Method, key: Bool = false) throws -> NetworkRequest {
        var request = NetworkRequest(method: method, target: try TargetURI("https://a/x"))
        if key { request.headers[.idempotencyKey] = "k" }
        return request
    }

    private func delay(
        _ outcome: RetryPlan.Outcome,
        _ request: NetworkRequest,
        _ policy: RetryPolicy = RetryPolicy(backoff: .none),
        attempts: Int = 1,
        fraction: Double = 0.5
    ) -> Duration? {
        let plan = RetryPlan(policy)
        for _ in 1..<attempts { plan.beginAttempt(after: .zero) }
        return plan.nextDelay(after: outcome, of: request, now: Date(), fraction: fraction)
    }

    private func failed(
        _ code: SwiftyError.Code,
        _ sent: SwiftyError.SentState,
        stage: SwiftyError.Stage = .firstByte
    ) -> RetryPlan.Outcome {
        .failed(SwiftyError(code, stage: stage, sent: sent))
    }

    @Test("repeats a request that was not sent, with any method")
    func notSent() throws {
        for method: HTTPRequest.Method in [.get, .post, .patch, .delete] {
            #expect(delay(failed(.connectionFailed, .notSent), try request(method)) == .zero)
        }
    }

    @Test("repeats a request that may have been sent only if it is idempotent or has a key")
    func maybeSent() throws {
        for sent: SwiftyError.SentState in [.maybeSent, .responded] {
            for method: HTTPRequest.Method in [.get, .head, .put, .delete, .options, .trace] {
                #expect(delay(failed(.connectionLost, sent), try request(method)) == .zero)
            }
            for method: HTTPRequest.Method in [.post, .patch] {
                #expect(delay(failed(.connectionLost, sent), try request(method)) == nil)
                #expect(delay(failed(.connectionLost, sent), try request(method, key: true)) == .zero)
            }
        }
    }

    @Test("repeats only requests with the methods that the policy lists, within the replay rule")
    func methods() throws {
        let policy = RetryPolicy(backoff: .none, methods: [.get, .post])
        for outcome in [failed(.connectionFailed, .notSent), .responded(ResponseHead(statusCode: 503))] {
            #expect(delay(outcome, try request(.get), policy) == .zero)
            #expect(delay(outcome, try request(.post), policy) == .zero)
            #expect(delay(outcome, try request(.delete), policy) == nil)
        }
        #expect(delay(failed(.connectionLost, .maybeSent), try request(.post), policy) == nil)
    }

    @Test("repeats only after the errors that the policy lists, within the replay rule")
    func errorCodes() throws {
        let policy = RetryPolicy(backoff: .none, retriesTransferFailures: false, errorCodes: [.tlsFailed])
        #expect(delay(failed(.tlsFailed, .notSent, stage: .tls), try request(.post), policy) == .zero)
        #expect(delay(failed(.tlsFailed, .maybeSent), try request(.post), policy) == nil)
        #expect(delay(failed(.connectionFailed, .notSent), try request(.get), policy) == nil)
        #expect(delay(failed(.connectionFailed, .notSent), try request(.get), RetryPolicy(errorCodes: [])) == nil)
        #expect(delay(.responded(ResponseHead(statusCode: 503)), try request(.get), policy) == .zero)
    }

    @Test("repeats only after transient failures")
    func transient() throws {
        let get = try request(.get)
        for code: SwiftyError.Code in [
            .nameResolutionFailed, .connectionFailed, .connectionLost, .proxyFailed, .timedOut,
        ] {
            #expect(delay(failed(code, .maybeSent), get) == .zero)
        }
        for code: SwiftyError.Code in [
            .certificateInvalid, .tlsFailed, .malformedResponse, .responseTooLarge, .cancelled, .shutdown,
            .invalidHeader,
            .interceptorFailed, .transportFailed,
        ] {
            #expect(delay(failed(code, .notSent), get) == nil)
        }
        #expect(delay(failed(.timedOut, .notSent, stage: .queue), get) == nil)
        let cautious = RetryPolicy(retriesTransferFailures: false)
        #expect(delay(failed(.connectionFailed, .notSent), get, cautious) == nil)
    }

    @Test("repeats after the statuses of its policy, by the replay rule")
    func statuses() throws {
        for status in [408, 425, 429, 500, 502, 503, 504] {
            #expect(delay(.responded(ResponseHead(statusCode: status)), try request(.get)) == .zero)
            let post = delay(.responded(ResponseHead(statusCode: status)), try request(.post))
            #expect(post == ([408, 425, 429, 503].contains(status) ? .zero : nil))
            let keyed = delay(.responded(ResponseHead(statusCode: status)), try request(.post, key: true))
            #expect(keyed == .zero)
        }
        for status in [301, 400, 401, 403, 404, 409, 501, 505] {
            #expect(delay(.responded(ResponseHead(statusCode: status)), try request(.get)) == nil)
        }
        let own = RetryPolicy(backoff: .none, statuses: [404])
        #expect(delay(.responded(ResponseHead(statusCode: 404)), try request(.get), own) == .zero)
        #expect(delay(.responded(ResponseHead(statusCode: 503)), try request(.get), own) == nil)
    }

    @Test("uses a new connection after a 421, once")
    func misdirected() throws {
        let plan = RetryPlan(RetryPolicy(backoff: .none))
        let post = try request(.post)
        let outcome = RetryPlan.Outcome.responded(ResponseHead(statusCode: 421))
        #expect(plan.nextDelay(after: outcome, of: post, now: Date(), fraction: 0) == .zero)
        #expect(plan.requiresNewConnection)
        plan.beginAttempt(after: .zero)
        #expect(plan.nextDelay(after: outcome, of: post, now: Date(), fraction: 0) == nil)
    }

    @Test("stops when its attempts are used up")
    func maximum() throws {
        let get = try request(.get)
        #expect(delay(failed(.connectionLost, .notSent), get, attempts: 2) == .zero)
        #expect(delay(failed(.connectionLost, .notSent), get, attempts: 3) == nil)
        #expect(delay(failed(.connectionLost, .notSent), get, .none) == nil)
    }

    @Test("waits as long as a 429 or 503 asks, up to a limit")
    func retryAfter() throws {
        let get = try request(.get)
        func wait(_ status: Int, _ seconds: Int) -> Duration? {
            delay(.responded(ResponseHead(statusCode: status, headers: [.retryAfter: "\(seconds)"])), get)
        }
        #expect(wait(429, 5) == .seconds(5))
        #expect(wait(503, 5) == .seconds(5))
        #expect(wait(503, 1_000_000_000) == .seconds(60))
        #expect(wait(500, 5) == .zero)
        let slow = RetryPolicy(backoff: RetryPolicy.Backoff(initial: .seconds(8), hasJitter: false))
        let busy = ResponseHead(statusCode: 503, headers: [.retryAfter: "5"])
        #expect(delay(.responded(busy), get, slow) == .seconds(8))
    }

    @Test("backs off exponentially, over the whole range, up to a limit")
    func backoff() {
        let backoff = RetryPolicy.Backoff(initial: .seconds(1), multiplier: 2, maximum: .seconds(10))
        #expect(
            (1...6).map { backoff.delay(beforeRetry: $0, fraction: 1) }
                == [1, 2, 4, 8, 10, 10].map { Duration.seconds($0) }
        )
        #expect(backoff.delay(beforeRetry: 3, fraction: 0.25) == .seconds(1))
        #expect(backoff.delay(beforeRetry: 3, fraction: 0) == .zero)
        #expect(backoff.delay(beforeRetry: .max, fraction: 1) == .seconds(10))
        #expect(RetryPolicy.Backoff.none.delay(beforeRetry: 9, fraction: 1) == .zero)
    }
}
