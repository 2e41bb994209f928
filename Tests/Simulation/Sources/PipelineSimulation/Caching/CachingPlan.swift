// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SimulationCore

@testable import Swifty

/// The resources of a server, and what happens to them through one cache. Times are milliseconds.
struct CachingPlan: Plan {
    /// What a server says about its responses, in seconds.
    struct Resource: Sendable {
        var lifetime: Int
        var staleWhileRevalidate: Int
        var staleIfError: Int
        var hasTag: Bool
        var isPrivate: Bool
        var varies: Bool
    }

    enum Method: Sendable {
        case get
        case head
        case put
    }

    /// What becomes of a request.
    enum Fault: Sendable {
        case none
        /// The server answers 503, and has done nothing.
        case unavailable
        /// The request does not reach it.
        case unreachable
        /// It does, but the response is lost.
        case lost
    }

    struct Load: Sendable {
        var time: Int
        var resource: Int
        var user: Int
        var language: Int
        var method: Method
        var mode: CachePolicy.Mode
        /// The time until the server has processed the request, and from then on until its response is there.
        var delays: (Int, Int)
        var fault: Fault
        var cancelTime: Int?
    }

    enum Act: Sendable {
        case remove(Int)
        /// Another client changes a resource.
        case change(Int)
        case removeAll
        case shutdown
    }

    var resources: [Resource]
    var loads: [Load]
    var acts: [(time: Int, act: Act)]
    /// The size of the cache, in bytes.
    var size: Int
    var retries: Int
    var maximumLoads: Int?

    init(_ random: inout SimulationRandom) {
        resources = (0..<random.number(1...3)).map { _ in Resource(&random) }
        let (count, end) = (random.spread(2...60), random.spread(1_000...40_000))
        loads = (0..<count).map { _ in Load(&random, end: end) }.sorted { $0.time < $1.time }
        acts = (0..<(random.chance(30) ? random.number(1...3) : 0)).map { _ in
            (
                random.below(end),
                random.choose([
                    3: Act.remove(random.below(3)), 3: .change(random.below(3)), 1: .removeAll, 1: .shutdown,
                ])
            )
        }
        size = random.chance(15) ? random.number(6_000...12_000) : 1 << 20
        retries = random.chance(20) ? 1 : 0
        maximumLoads = random.chance(15) ? random.number(1...2) : nil
    }

    var story: [String] {
        ["cache of \(size) bytes, \(retries) retries, at most \(maximumLoads.map(String.init) ?? "any") loads"]
            + resources.enumerated().map { "resource \($0): \($1)" }
            + loads.enumerated().map { "load \($0): \($1)" } + acts.map { "at \($0.time) ms: \($0.act)" }
    }

    var simplifications: [CachingPlan] {
        var plans = shortening(\.loads) + shortening(\.acts)
        if retries > 0 { plans += replacing(self, \.retries, with: [0]) }
        if maximumLoads != nil { plans += replacing(self, \.maximumLoads, with: [nil]) }
        if size < 1 << 20 { plans += replacing(self, \.size, with: [1 << 20]) }
        plans += simplifying(\.loads) { load in
            var simpler = replacing(load, \.time, with: load.time.simpler())
            simpler += replacing(load, \.delays.0, with: load.delays.0.simpler())
            simpler += replacing(load, \.delays.1, with: load.delays.1.simpler())
            if load.cancelTime != nil { simpler += replacing(load, \.cancelTime, with: [nil]) }
            if load.user > 0 { simpler += replacing(load, \.user, with: [0]) }
            if load.language > 0 { simpler += replacing(load, \.language, with: [0]) }
            return simpler
        }
        return plans
    }
}

extension CachingPlan.Resource {
    init(_ random: inout SimulationRandom) {
        lifetime = random.chance(20) ? 0 : random.spread(1...20)
        staleWhileRevalidate = random.chance(30) ? random.spread(1...10) : 0
        staleIfError = random.chance(30) ? random.spread(1...20) : 0
        hasTag = random.chance(60)
        isPrivate = random.chance(20)
        varies = random.chance(30)
    }
}

extension CachingPlan.Load {
    init(_ random: inout SimulationRandom, end: Int) {
        time = random.below(end)
        resource = random.below(3)
        user = random.chance(70) ? 0 : random.below(3)
        language = random.chance(80) ? 0 : 1
        method = random.choose([20: CachingPlan.Method.get, 2: .head, 3: .put])
        mode = random.chance(75) ? .standard : random.choose(CachePolicy.Mode.allCases)
        delays = (random.spread(0...800), random.spread(0...800))
        fault = random.choose([12: CachingPlan.Fault.none, 1: .unavailable, 1: .unreachable, 1: .lost])
        cancelTime = random.chance(10) ? time + random.spread(0...1_000) : nil
    }
}
