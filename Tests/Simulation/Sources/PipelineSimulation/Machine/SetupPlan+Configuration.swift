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
        for record in history.constraints {
            configuration.use(record.plan.isAsync ? TaskConstraint(record) : BlockingConstraint(record))
        }
        configuration.use(RequestHook(plan: requestHook, history: history))
        if let responseHook {
            configuration.use(ResponseHook(plan: responseHook, history: history))
        }
        configuration.use(PipelineObserver(history: history))
        return configuration
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
            maximumRetryAfter: .planned(longestRetryAfter)
        )
    }
}

extension NetworkResourceWithBody {
    /// The request that is planned.
    func planned(_ plan: LoadPlan) -> NetworkResource {
        priority(NetworkRequest.Priority(rawValue: plan.priority) ?? .normal).tag("tag\(plan.tag)")
        canHaveConstraints(plan.canHaveConstraints)
        if plan.hasKey { idempotencyKey() }
        if let attempts = plan.attempts { retry(attempts) }
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

// MARK: Interceptors

/// Adds the credential, and takes its time.
struct RequestHook: RequestInterceptor {
    let plan: SetupPlan.Hook?
    unowned let history: PipelineHistory

    func intercept(resource: NetworkResource) async throws -> NetworkResource {
        if let plan { try await plan.pass(resource.loadNumber, history) }
        guard let credential = history.constraints.first?.credential, credential > 0 else { return resource }
        return resource.header(.credential, "\(credential)")
    }
}

/// Takes its time.
struct ResponseHook: ResponseInterceptor {
    let plan: SetupPlan.Hook
    unowned let history: PipelineHistory

    func intercept(response: NetworkResponse) async throws -> NetworkResponse {
        try await plan.pass(-1, history)
        return response
    }
}

/// The error of an interceptor that throws.
struct HookFailure: Error {}

extension SetupPlan.Hook {
    fileprivate func pass(_ load: Int, _ history: PipelineHistory) async throws {
        history.world.note(.hookBegins, of: load, is: "an interceptor begins")
        defer { history.world.note(.hookEnds, of: load, is: "an interceptor ends") }
        if time > 0 { try await history.clock.sleep(for: .planned(time)) }
        if let finish = history.runs[load]?.finish, !history.isLate, history.runs[load]?.isCompound == false {
            // It has come to its end without having been cancelled.
            history.world.expect(
                finish.time >= history.world.now,
                "a hook whose load has ended is cancelled",
                "load \(load)"
            )
        }
        history.hookCount += 1
        if failsEvery > 0, history.hookCount % failsEvery == 0 { throw HookFailure() }
    }
}
