// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyTestServers
import TestSupport
import Testing

/// The policy decides about retries; validation decides what the last response means.
@Suite("Retries of accepted statuses", .timeLimit(.minutes(15)))
struct AcceptedStatusRetryTests {
    struct Validation: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let accepted: RequestDraft.AcceptedStatuses

        static let all = [
            Validation(testDescription: "the usual", accepted: .successful),
            Validation(testDescription: "any", accepted: .any),
            Validation(testDescription: "a range", accepted: RequestDraft.AcceptedStatuses(200..<600)),
            Validation(testDescription: "a list", accepted: [200, 404, 503]),
        ]
    }

    struct Policy: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let statuses: Set<Int>
        var decide: (@Sendable (RetryPolicy.Context) async -> RetryPolicy.Decision)?

        static let all = [
            Policy(testDescription: "standard", statuses: RetryPolicy.standardStatuses),
            Policy(testDescription: "every 4xx and 5xx", statuses: Set(400..<600)),
            Policy(testDescription: "202 until it is done", statuses: [202]),
            Policy(testDescription: "no status", statuses: []),
            Policy(testDescription: "a decision", statuses: [404, 503]) { $0.proposal },
        ]
    }

    private func outcome(of resource: NetworkResource) async -> NetworkResponse {
        await withCheckedContinuation { continuation in
            resource.load { continuation.resume(returning: $0) }
        }
    }

    @Test(
        "are made if the policy has the status, and the last response is delivered as validation demands",
        arguments: [200, 202, 404, 500, 503],
        Validation.all
    )
    func table(status: Int, validation: Validation) async throws {
        let server = try LoopbackServer()
        let swifty = Swifty { $0.retryBudget = RetryPolicy.Budget(reserve: 1_000) }
        for policy in Policy.all {
            for attempts in [1, 2, 4] {
                server.log.clear()
                let retry = RetryPolicy(
                    maximumAttempts: attempts,
                    backoff: .none,
                    statuses: policy.statuses,
                    decide: policy.decide
                )
                let resource = BaseResource(server.url, networkInterface: swifty).get("status/\(status)")
                let response = await outcome(of: resource.retry(retry).validate(status: validation.accepted))
                let label = "\(policy.testDescription), \(attempts) attempts"
                #expect(server.log.count == (policy.statuses.contains(status) ? attempts : 1), "\(label)")
                #expect(response.statusCode == status, "\(label)")
                #expect(response.metrics.attempts.count == server.log.count, "\(label)")
                let expected: SwiftyError.Code? = validation.accepted.contains(status) ? nil : .unacceptableStatus
                #expect(response.error?.code == expected, "\(label)")
            }
        }
    }

    @Test("end with the first response whose status the policy does not have", arguments: Validation.all)
    func recovery(validation: Validation) async throws {
        let calls = Counter()
        let server = try LoopbackServer { server in
            server.route("GET", "/later") { _ in .status(calls.increment() < 3 ? 503 : 200) }
        }
        let resource = BaseResource(server.url, networkInterface: Swifty()).get("later")
        let policy = RetryPolicy(maximumAttempts: 5, backoff: .none)
        let response = try await resource.retry(policy).validate(status: validation.accepted).load()
        #expect(response.metrics.attempts.map(\.statusCode) == [503, 503, 200])
        #expect(server.log.count == 3)
    }

    @Test("keep the replay rule, the time limit and the budget; then the response is a success")
    func limits() async throws {
        let server = try LoopbackServer()
        let base = BaseResource(server.url, networkInterface: Swifty())
        func count(_ resource: NetworkResource, _ policy: RetryPolicy) async throws -> Int {
            server.log.clear()
            let status = try await resource.retry(policy).validate(status: .any).load().statusCode
            #expect(status == 500 || status == 503)
            return server.log.count
        }
        let standard = RetryPolicy(backoff: .none)
        // After a 500 the work may be done; after a 503 it is not.
        #expect(try await count(base.post("status/500"), standard) == 1)
        #expect(try await count(base.post("status/500").idempotencyKey(), standard) == 3)
        #expect(try await count(base.post("status/503"), standard) == 3)
        let slow = RetryPolicy(
            backoff: RetryPolicy.Backoff(initial: .seconds(900), maximum: .seconds(900), hasJitter: false)
        )
        #expect(try await count(base.get("status/503").timeout(.seconds(600)), slow) == 1)
        let frugal = Swifty { $0.retryBudget = RetryPolicy.Budget(share: 0, reserve: 2) }
        let poor = BaseResource(server.url, networkInterface: frugal).get("status/503")
        #expect(try await count(poor, RetryPolicy(maximumAttempts: 9, backoff: .none)) == 3)
    }

    @Test("do not ask for a decision about an accepted response whose status the policy does not have")
    func decisions() async throws {
        let server = try LoopbackServer()
        let asked = Recording<Int?>()
        let eager = RetryPolicy(maximumAttempts: 2, backoff: .none) { context in
            asked.append(context.statusCode)
            return .retry(after: .zero)
        }
        let base = BaseResource(server.url, networkInterface: Swifty())
        for status in [200, 404, 503] {
            _ = try await base.get("status/\(status)").retry(eager).validate(status: .any).load()
        }
        #expect(server.log.requests.map(\.target) == ["/status/200", "/status/404", "/status/503", "/status/503"])
        #expect(asked.values == [503, 503])
    }
}
