// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SimulationCore

/// The configuration of the `Swifty` of a history. Times are milliseconds.
struct SetupPlan: Sendable {
    struct Retry: Sendable {
        var attempts: Int
        var backoff: Int
        var isRandom: Bool
        var reserve: Int
        var longestRetryAfter: Int
        /// The time for which attempts without a connection do not count; `nil` if they count.
        var connectionWait: Int?
    }

    /// Further requests of slow loads.
    struct Hedging: Sendable {
        var delay: Int
        var requests: Int
    }

    /// An interceptor of attempts: how long it takes, how often it throws, and how often it asks for another attempt.
    struct AttemptHook: Sendable {
        var hook: Hook
        var repeatsEvery: Int
        var attempts: Int
    }

    struct Rate: Sendable {
        var requests: Int
        var period: Int
        var burst: Int
    }

    struct Breaker: Sendable {
        var failures: Int
        var openTime: Int
        var probes: Int
    }

    /// A hook: how long it takes, and how often it throws.
    struct Hook: Sendable {
        var time: Int
        var failsEvery: Int
    }

    var retry: Retry?
    var maximumLoads: Int?
    var maximumLoadsPerHost: Int?
    var rate: Rate?
    var breaker: Breaker?
    var quota: ServerQuota?
    var hostBackoff: Int?
    var queueTimeout: Int?
    var adaptsToQuality = false
    var constraints: [ConstraintPlan] = []
    var coalesces = false
    var maximumRedirects = 20
    var requestHook: Hook?
    var responseHook: Hook?
    var attemptHook: AttemptHook?
    var router: Hook?
    var signer: Hook?
    var hedging: Hedging?
    /// The longest wait of deferrable loads; `nil` if no load holds others back.
    var deferralLimit: Int?
    var hasCredentials = false
    var total: Int?
    var attempt: Int?
    var idle: Int?
    var firstByte: Int?
    /// The share of the steps of tasks that come late, in per cent.
    var lag = 0
    /// Whether the transport tells of the end of content that is not read; another one than ours need not.
    var tellsEnds = true

    init(_ random: inout SimulationRandom) {
        if random.chance(60) {
            retry = Retry(
                attempts: random.number(2...5),
                backoff: random.spread(0...1_000),
                isRandom: random.chance(70),
                reserve: random.choose([4: 10, 1: 0, 2: 1, 1: 3]),
                longestRetryAfter: random.choose([3: 60_000, 1: 0, 1: 1_500])
            )
        }
        chooseAdmission(&random)
        if random.chance(45) {
            constraints = (0..<random.choose([5: 1, 2: 2, 1: 3])).map { _ in ConstraintPlan(&random) }
        }
        coalesces = random.chance(30)
        maximumRedirects = random.choose([5: 20, 1: 0, 1: 1, 1: 2])
        if random.chance(25) { requestHook = Hook(&random, within: 500) }
        if random.chance(25) { responseHook = Hook(&random, within: 3_000) }
        hasCredentials = random.chance(30)
        if random.chance(30) { total = random.spread(20...10_000) }
        if random.chance(20) { attempt = random.spread(20...4_000) }
        if random.chance(30) { idle = random.spread(20...4_000) }
        if random.chance(10) { firstByte = random.spread(20...4_000) }
        lag = random.choose([4: 0, 1: 10])
        chooseRareHooks(&random)
    }

    private mutating func chooseRareHooks(_ random: inout SimulationRandom) {
        if random.chance(15) {
            attemptHook = AttemptHook(
                hook: Hook(&random, within: 1_000),
                repeatsEvery: random.choose([2: 1, 1: 2, 1: 3]),
                attempts: random.number(1...4)
            )
        }
        if random.chance(15) { router = Hook(&random, within: 500) }
        if random.chance(15) { signer = Hook(&random, within: 500) }
        if random.chance(20) { hedging = Hedging(&random) }
        if random.chance(10) { deferralLimit = random.spread(1...5_000) }
        if random.chance(20) { retry?.connectionWait = random.spread(1...10_000) }
        tellsEnds = random.chance(90)
    }

    private mutating func chooseAdmission(_ random: inout SimulationRandom) {
        if random.chance(25) { maximumLoads = random.number(1...4) }
        if random.chance(30) { maximumLoadsPerHost = random.number(1...3) }
        if random.chance(15) {
            rate = Rate(requests: random.number(1...5), period: random.spread(1...2_000), burst: random.number(1...4))
        }
        if random.chance(20) {
            breaker = Breaker(
                failures: random.number(1...4),
                openTime: random.spread(1...5_000),
                probes: random.number(1...2)
            )
        }
        if random.chance(20) { hostBackoff = random.spread(1...5_000) }
        if random.chance(20) { queueTimeout = random.spread(1...4_000) }
        adaptsToQuality = random.chance(10)
        if random.chance(10) { quota = ServerQuota(requests: random.number(1...6), period: random.number(1...5)) }
    }

    /// Whether loads can wait for admission at all.
    var isLimited: Bool {
        maximumLoads != nil || maximumLoadsPerHost != nil || rate != nil || hostBackoff != nil || adaptsToQuality
    }

    var story: [String] {
        let parts: [String?] = [
            retry.map { "retries: \($0)" }, maximumLoads.map { "at most \($0) loads" },
            maximumLoadsPerHost.map { "at most \($0) loads for a host" }, rate.map { "rate: \($0)" },
            breaker.map { "breaker: \($0)" }, quota.map { "servers accept \($0)" },
            hostBackoff.map { "hosts back off for at most \($0) ms" },
            queueTimeout.map { "at most \($0) ms in the queue" }, adaptsToQuality ? "adapts to the network" : nil,
            coalesces ? "equal loads share a transfer" : nil,
            maximumRedirects == 20 ? nil : "at most \(maximumRedirects) redirects",
            requestHook.map { "request interceptor: \($0)" }, responseHook.map { "response interceptor: \($0)" },
            attemptHook.map { "interceptor of attempts: \($0)" }, router.map { "router: \($0)" },
            signer.map { "signer: \($0)" }, hedging.map { "hedging: \($0)" },
            deferralLimit.map { "loads hold others back, deferrable ones for at most \($0) ms" },
            hasCredentials ? "answers challenges" : nil, total.map { "total limit \($0) ms" },
            attempt.map { "limit of an attempt \($0) ms" },
            firstByte.map { "limit of the first byte \($0) ms" }, idle.map { "idle limit \($0) ms" },
            lag == 0 ? nil : "\(lag) % of the steps come late",
            tellsEnds ? nil : "the end of content is known when it is read",
        ]
        return parts.compactMap(\.self) + constraints.enumerated().map { "constraint \($0): \($1)" }
    }

    var simplifications: [SetupPlan] {
        let without: [WritableKeyPath<SetupPlan, Int?>] = [
            \.maximumLoads, \.maximumLoadsPerHost, \.hostBackoff, \.queueTimeout, \.total, \.attempt, \.idle,
            \.firstByte, \.deferralLimit,
        ]
        var plans = constraints.indices.map { index in
            var plan = self
            plan.constraints.remove(at: index)
            return plan
        }
        plans += without.filter { self[keyPath: $0] != nil }.map { replacing(self, $0, with: [nil])[0] }
        if retry != nil { plans += replacing(self, \.retry, with: [nil]) }
        if quota != nil { plans += replacing(self, \.quota, with: [nil]) }
        if rate != nil { plans += replacing(self, \.rate, with: [nil]) }
        if breaker != nil { plans += replacing(self, \.breaker, with: [nil]) }
        if requestHook != nil { plans += replacing(self, \.requestHook, with: [nil]) }
        if responseHook != nil { plans += replacing(self, \.responseHook, with: [nil]) }
        if attemptHook != nil { plans += replacing(self, \.attemptHook, with: [nil]) }
        if router != nil { plans += replacing(self, \.router, with: [nil]) }
        if signer != nil { plans += replacing(self, \.signer, with: [nil]) }
        if hedging != nil { plans += replacing(self, \.hedging, with: [nil]) }
        if retry?.connectionWait != nil { plans += replacing(self, \.retry!.connectionWait, with: [nil]) }
        if adaptsToQuality { plans += replacing(self, \.adaptsToQuality, with: [false]) }
        if hasCredentials { plans += replacing(self, \.hasCredentials, with: [false]) }
        if coalesces { plans += replacing(self, \.coalesces, with: [false]) }
        if !tellsEnds { plans += replacing(self, \.tellsEnds, with: [true]) }
        plans += replacing(self, \.lag, with: lag.simpler())
        for index in constraints.indices {
            plans += replacing(self, \.constraints[index], with: constraints[index].simplifications)
        }
        for limit in without {
            guard let value = self[keyPath: limit] else { continue }
            plans += replacing(self, limit, with: value.simpler(towards: 1).map { $0 })
        }
        return plans
    }
}

extension SetupPlan.Hook {
    init(_ random: inout SimulationRandom, within time: Int) {
        self.time = random.spread(0...time)
        failsEvery = random.choose([1: 0, 1: 1, 8: 7])
    }
}

extension SetupPlan.Hedging {
    init(_ random: inout SimulationRandom) {
        delay = random.chance(25) ? 0 : random.spread(0...3_000)
        requests = random.choose([3: 2, 1: 3, 1: 4])
    }
}
