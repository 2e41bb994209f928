// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SimulationCore

import struct Foundation.Data

@testable import Swifty

extension SetupPlan {
    /// The configuration that is planned, with the hooks of a history.
    func configuration(of history: PipelineHistory) -> Swifty.Configuration {
        var configuration = Swifty.Configuration()
        configuration.clock = SimulatedClock(world: history.world, wakes: history.wakes)
        configuration.timeouts = NetworkRequest.Timeouts(
            total: total.map { .planned($0) },
            attempt: attempt.map { .planned($0) },
            firstByte: firstByte.map { .planned($0) },
            idle: idle.map { .planned($0) }
        )
        if let retry { configuration.retry = retry.policy(retry.attempts) }
        configuration.retryBudget = RetryPolicy.Budget(share: 0.2, reserve: Double(retry?.reserve ?? 10))
        configuration.redirects = RedirectPolicy(maximumCount: maximumRedirects, resendsContentAcrossOrigins: true)
        configuration.admission = admission
        if hasCredentials { configuration.credentials = credentials }
        configuration.coalesces = coalesces
        if let hedging { configuration.hedging = hedging.policy }
        useHooks(of: history, &configuration)
        return configuration
    }

    private func useHooks(of history: PipelineHistory, _ configuration: inout Swifty.Configuration) {
        if let deferralLimit {
            let precedence = LoadPrecedence(deferralLimit: .planned(deferralLimit), clock: configuration.clock)
            history.loadsInFlight = precedence.loads
            configuration.use(precedence)
        }
        configuration.use(history.constraints.filter { !$0.plan.isOfRequests }.map { $0.makeHook() })
        configuration.use(RequestHook(plan: requestHook, history: history))
        if let responseHook { configuration.use(ResponseHook(plan: responseHook, history: history)) }
        if let attemptHook { configuration.use(RepeatingHook(plan: attemptHook, history: history)) }
        if let router { configuration.use(Router(plan: router, history: history)) }
        if let signer { configuration.use(Signer(plan: signer, history: history)) }
        configuration.use(PipelineObserver(history: history))
    }

    private var credentials: CredentialStore {
        let store = CredentialStore()
        for host in 0..<3 {
            try? store.set(.basic(user: "user", password: "password"), for: "https://server\(host).example")
        }
        return store
    }

    private var admission: AdmissionPolicy {
        var policy = AdmissionPolicy()
        (policy.maximumLoads, policy.maximumLoadsPerHost) = (maximumLoads, maximumLoadsPerHost)
        policy.rateLimit = rate.map {
            AdmissionPolicy.RateLimit(requests: $0.requests, per: .planned($0.period), burst: $0.burst)
        }
        policy.circuitBreaker = breaker.map {
            AdmissionPolicy.CircuitBreaker(
                failures: $0.failures,
                openDuration: .planned($0.openTime),
                probes: $0.probes
            )
        }
        policy.hostBackoff = hostBackoff.map { .planned($0) }
        policy.queueTimeout = queueTimeout.map { .planned($0) }
        policy.learnsRateLimits = quota != nil
        if adaptsToQuality { policy.qualityRules = .adaptive }
        return policy
    }
}

extension SetupPlan.Retry {
    /// The policy with a number of attempts.
    func policy(_ attempts: Int) -> RetryPolicy {
        RetryPolicy(
            maximumAttempts: attempts,
            backoff: RetryPolicy.Backoff(initial: .planned(backoff), hasJitter: isRandom),
            maximumRetryAfter: .planned(longestRetryAfter),
            connectionWait: connectionWait.map { .planned($0) }
        )
    }
}

extension SetupPlan.Hedging {
    var policy: HedgingPolicy { HedgingPolicy(after: .planned(delay), maximumRequests: requests) }
}

extension NetworkResourceWithBody {
    /// The request that is planned.
    func planned(_ plan: LoadPlan) -> NetworkResource {
        priority(NetworkRequest.Priority(rawValue: plan.priority) ?? .normal).tag("tag\(plan.tag)")
        canHaveConstraints(plan.canHaveConstraints)
        if plan.hasKey { idempotencyKey() }
        if let attempts = plan.attempts { retry(attempts) }
        if let hedging = plan.hedging { self.hedging(hedging.policy) }
        if let level = LoadPrecedence.Level(rawValue: plan.level), level != .ordinary { precedence(level) }
        if let rate = plan.rate { limitRate(download: rate) }
        if let limit = plan.contentLimit { contentLimit(limit) }
        timeout(total: plan.total.map { .planned($0) }, attempt: plan.attempt.map { .planned($0) })
        switch plan.content {
        case .none: break
        case .memory: text("content")
        case .stream(let isReplayable):
            stream(isReplayable: isReplayable) { writer in
                try await writer.write("first")
                try await writer.write("second")
            }
        case .usedUp(let hasRest):
            let source = UsedUpSource()
            stream(isReplayable: true) { writer in
                let isFirst = source.isFirstUse()
                if isFirst { try await writer.write("first") }
                if isFirst || hasRest { try await writer.write("second") }
            }
        }
        if case .mock(let fails) = plan.form {
            if fails { mock(error: FlightFailure(flight: 0)) } else { mock(data: Data("mocked".utf8)) }
        }
        return self
    }
}

/// Content that is there once.
// Safety: the one thread of the simulation uses it.
private final class UsedUpSource: @unchecked Sendable {
    private var isUsed = false

    func isFirstUse() -> Bool {
        defer { isUsed = true }
        return !isUsed
    }
}
