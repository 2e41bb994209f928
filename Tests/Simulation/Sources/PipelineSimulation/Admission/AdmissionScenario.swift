// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SimulationCore

@testable import Swifty
@testable import SwiftyTransport

/// Admission alone: its pure state, driven as its queue drives it, through more orders of events than whole loads make.
enum AdmissionScenario: Scenario {
    typealias History = AdmissionPlan
    typealias Event = AdmissionEvent
    typealias State = AdmissionFate

    static let name = "admission"

    static func plan(_ random: inout SimulationRandom) -> AdmissionPlan {
        AdmissionPlan(&random)
    }

    static func play(_ plan: AdmissionPlan, in world: World) {
        AdmissionHistory(plan, world).play()
    }
}

/// What can happen in a history.
enum AdmissionEvent: Int, EventName {
    case arrives, sent, refused, responded, leaves, priorityChanged, paused, resumed, qualityChanged, deadline
}

extension AdmissionEvent {
    /// What admission decides is none.
    var isStimulus: Bool { self != .sent && self != .refused }
}

/// How the waits of loads end.
enum AdmissionFate: Int, EventName {
    case sentImmediately, sentAfterWait, timedOut, circuitOpen, left
}

/// A policy, and what happens under it. Times are milliseconds.
struct AdmissionPlan: Plan {
    /// How a load that was sent ends.
    enum Outcome: Sendable {
        case success
        case unavailable
        /// A success, of which the server does not say how many may follow.
        case unreported
        case failed
        case notSent
    }

    /// The loads that an act is about are counted among those to which it can happen.
    enum Kind: Sendable {
        case arrival(host: Int, priority: Int, limit: Int?, delay: Int)
        case end(Int, Outcome)
        case leaving(Int)
        case priority(Int, of: Int)
        case pause(Bool)
        case quality(Int)
    }

    struct Act: Sendable {
        var time: Int
        var kind: Kind
    }

    var maximumLoads: Int?
    var maximumLoadsPerHost: Int?
    var hasRateLimit: Bool
    var queueTimeout: Int?
    var breaksCircuits: Bool
    var holdsHosts: Bool
    var adaptsToQuality: Bool
    var quota: ServerQuota?
    /// Whether requests may reach their server in another order than they were sent in.
    var isDisordered = false
    var acts: [Act] = []

    init(_ random: inout SimulationRandom) {
        maximumLoads = random.chance(30) ? nil : random.number(0...6)
        maximumLoadsPerHost = random.chance(50) ? nil : random.number(0...3)
        hasRateLimit = random.chance(20)
        queueTimeout = random.chance(75) ? nil : random.spread(0...2_000)
        breaksCircuits = random.chance(20)
        holdsHosts = random.chance(20)
        adaptsToQuality = random.chance(20)
        // No period is longer than a host may be held back.
        if random.chance(30) { quota = ServerQuota(requests: random.number(1...8), period: random.number(1...9)) }
        isDisordered = quota != nil && random.chance(50)
        let hosts = random.number(1...4)
        var time = 0
        for _ in 0..<random.spread(2...150) {
            if random.chance(60) { time += random.spread(0...300) }
            acts.append(Act(time: time, kind: Self.drawn(&random, hosts)))
        }
    }

    private static func drawn(_ random: inout SimulationRandom, _ hosts: Int) -> Kind {
        random.choose([
            8: Kind.arrival(
                host: random.below(hosts),
                priority: random.below(NetworkRequest.Priority.allCases.count),
                limit: random.chance(50) ? nil : random.spread(0...900),
                delay: random.chance(50) ? 0 : random.spread(0...300)
            ),
            5: .end(
                random.below(100),
                random.choose([
                    6: Outcome.success, 1: .unavailable, 1: .unreported, 1: .failed, 1: .notSent,
                ])
            ),
            2: .leaving(random.below(100)),
            1: .priority(random.below(NetworkRequest.Priority.allCases.count), of: random.below(100)),
            1: .pause(random.chance(40)),
            1: .quality(random.below(AdmissionPolicy.NetworkQuality.allCases.count)),
        ])
    }

    var policy: AdmissionPolicy {
        var policy = AdmissionPolicy()
        policy.maximumLoads = maximumLoads
        policy.maximumLoadsPerHost = maximumLoadsPerHost
        policy.rateLimit = hasRateLimit ? AdmissionPolicy.RateLimit(requests: 20, per: .seconds(1), burst: 5) : nil
        policy.queueTimeout = queueTimeout.map { .milliseconds($0) }
        policy.circuitBreaker = breaksCircuits ? AdmissionPolicy.CircuitBreaker(openDuration: .seconds(1)) : nil
        policy.hostBackoff = holdsHosts ? .seconds(10) : nil
        policy.qualityRules = adaptsToQuality ? .adaptive : nil
        policy.learnsRateLimits = quota != nil
        return policy
    }

    var story: [String] {
        let parts = [
            maximumLoads.map { "at most \($0) loads" }, maximumLoadsPerHost.map { "at most \($0) for a host" },
            hasRateLimit ? "a limited rate" : nil, queueTimeout.map { "waits of at most \($0) ms" },
            breaksCircuits ? "circuit breakers" : nil, holdsHosts ? "pauses of hosts" : nil,
            adaptsToQuality ? "adapted to the network" : nil, quota.map { "servers accept \($0)" },
            isDisordered ? "requests arrive in any order" : nil,
        ]
        return ["policy: " + parts.compactMap(\.self).joined(separator: ", ")]
            + acts.map { "at \($0.time) ms: \($0.kind)" }
    }

    var simplifications: [AdmissionPlan] {
        var plans = shortening(\.acts)
        if maximumLoads != nil { plans += replacing(self, \.maximumLoads, with: [nil]) }
        if maximumLoadsPerHost != nil { plans += replacing(self, \.maximumLoadsPerHost, with: [nil]) }
        if quota != nil { plans += replacing(self, \.quota, with: [nil]) }
        if queueTimeout != nil { plans += replacing(self, \.queueTimeout, with: [nil]) }
        let options = [\AdmissionPlan.hasRateLimit, \.breaksCircuits, \.holdsHosts, \.adaptsToQuality, \.isDisordered]
        for option in options where self[keyPath: option] {
            plans += replacing(self, option, with: [false])
        }
        return plans + simplifying(\.acts) { act in replacing(act, \.time, with: act.time.simpler()) }
    }
}
