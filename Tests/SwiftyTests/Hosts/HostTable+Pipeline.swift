// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyTesting

@testable import Swifty

extension HostTable {
    static let ofPipeline = [
        HostTable(name: "limits by host", counts: limits),
        HostTable(name: "pauses that a server has asked for", counts: pauses),
        HostTable(name: "the network's quality", counts: quality),
        HostTable(name: "the retry budget", counts: budget),
        HostTable(name: "reroutes", counts: reroutes),
        HostTable(name: "the origin of a redirect", counts: redirects),
        HostTable(name: "the loops of redirects", counts: loops),
        HostTable(name: "shared transfers", counts: transfers),
    ]

    @Sendable private static func limits(_ rule: String, _ host: String) async throws -> Bool {
        var policy = AdmissionPolicy()
        policy.maximumLoadsPerHost = 1
        let queue = AdmissionQueue(policy: policy, clock: LoadClock(ContinuousClock()))
        _ = try await queue.admit(request(rule), cancellation: LoadCancellation())
        return try await isHeld(request(host), by: queue)
    }

    @Sendable private static func pauses(_ rule: String, _ host: String) async throws -> Bool {
        var policy = AdmissionPolicy()
        policy.hostBackoff = .seconds(60)
        let queue = AdmissionQueue(policy: policy, clock: LoadClock(ContinuousClock()))
        let place = try await queue.admit(request(rule), cancellation: LoadCancellation())
        let head = ResponseHead(statusCode: 503, headers: [.retryAfter: "60"])
        queue.release(place, .responded(TransportResponse(head: head, content: Data())))
        return try await isHeld(request(host), by: queue)
    }

    private static func isHeld(_ request: NetworkRequest, by queue: AdmissionQueue) async throws -> Bool {
        let failure = try await failure {
            _ = try await queue.admit(request, cancellation: LoadCancellation(), timeLimit: .zero)
        }
        return failure?.code == .timedOut
    }

    @Sendable private static func quality(_ rule: String, _ host: String) async throws -> Bool {
        let stub = StubTransport { _ in
            var metrics = TransferMetrics()
            metrics.connect = .milliseconds(10)
            return TransportResponse(head: ResponseHead(statusCode: 200), content: Data(), metrics: metrics)
        }
        let swifty = Swifty(transport: stub)
        _ = try target(rule)
        _ = try await BaseResource("https://\(host)", networkInterface: swifty).get().load()
        return swifty.networkQuality(of: "https://\(rule)") != .unknown
    }

    @Sendable private static func budget(_ rule: String, _ host: String) throws -> Bool {
        let budget = RetryBudget(RetryPolicy.Budget(share: 0, reserve: 1))
        _ = budget.withdraw(try target(rule).origin)
        return try !budget.withdraw(target(host).origin)
    }

    @Sendable private static func reroutes(_ rule: String, _ host: String) throws -> Bool {
        let place = try TargetURI("https://elsewhere.test:8443")
        return try Reroutes([target(rule): place]).peer(for: target(host)) == HostAndPort(of: place)
    }

    @Sendable private static func redirects(_ rule: String, _ host: String) throws -> Bool {
        var first = try request(rule)
        first.headers[.authorization] = "canary"
        var chain = RedirectChain(.follow, ownFields: [first.headers])
        let location = ResponseHead(statusCode: 302, headers: [.location: "https://\(host)/b"])
        return try chain.nextRequest(after: location, of: first)?.headers[.authorization] == "canary"
    }

    @Sendable private static func loops(_ rule: String, _ host: String) throws -> Bool {
        var chain = RedirectChain(.follow, ownFields: [])
        let (first, next) = (try request(rule), try request(host))
        do throws(SwiftyError) {
            try chain.follow(from: first, to: next)
            return false
        } catch {
            return error.code == .redirectLoop
        }
    }

    @Sendable private static func transfers(_ rule: String, _ host: String) throws -> Bool {
        let policy = CoalescingPolicy()
        return try CoalescingKey(request(rule), policy) == CoalescingKey(request(host), policy)
    }
}
