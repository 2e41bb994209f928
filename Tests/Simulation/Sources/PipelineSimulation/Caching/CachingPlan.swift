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

    /// How the requests of a load show whose they are.
    enum Credential: Sendable, CaseIterable {
        /// In `Authorization`.
        case token
        /// The same, which a hook of the request adds that also observes.
        case hook
        /// In `Cookie`.
        case cookie
        /// A value that the request declares to be secret, in a field whose name says nothing.
        case declaredValue
        /// A field whose name the service declares to be secret.
        case declaredName
        /// The policy names the user; each load has another token.
        case named
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
        var credential: Credential
        var language: Int
        var method: Method
        var mode: CachePolicy.Mode
        /// The time until the server has processed the request, and from then on until its response is there.
        var delays: (Int, Int)
        var fault: Fault
        var cancelTime: Int?
        /// Whether the resource is asked for where it was before, from where a server sends the load on.
        var isMoved: Bool
        /// Whether the second process loads it, if there is one.
        var isOfNeighbour: Bool
    }

    enum Act: Sendable {
        case remove(Int)
        /// Another client changes a resource.
        case change(Int)
        case removeAll
        /// The process is replaced by another one, with the same directory, while no load is in flight.
        case restart
        /// The same, but what is not written yet is lost.
        case kill
        /// From now on the disk fails.
        case breakDisk
        /// The disk has what it had, and works again.
        case mendDisk
        case shutdown
    }

    /// Where the cache has its responses.
    struct Storage: Sendable {
        var isOnDisk: Bool
        /// The size of the responses in memory beside those on the disk, in bytes.
        var memory: Int
        /// The most by which the disk is late, in milliseconds.
        var delay: Int
    }

    var resources: [Resource]
    var loads: [Load]
    var acts: [(time: Int, act: Act)]
    /// The size of the cache, in bytes.
    var size: Int
    var storage: Storage
    /// Whether a second process has a cache with the same directory.
    var hasNeighbour: Bool
    var retries: Int
    var maximumLoads: Int?
    /// Whether equal loads share a transfer.
    var coalesces: Bool
    /// The time after which a slow load has a second request; `nil` for none.
    var hedging: Int?

    init(_ random: inout SimulationRandom) {
        resources = (0..<random.number(1...3)).map { _ in Resource(&random) }
        let (count, end) = (random.spread(2...60), random.spread(1_000...40_000))
        loads = (0..<count).map { _ in Load(&random, end: end) }.sorted { $0.time < $1.time }
        acts = (0..<(random.chance(30) ? random.number(1...3) : 0)).map { _ in
            (
                random.below(end),
                random.choose([
                    3: Act.remove(random.below(3)), 4: .change(random.below(3)), 2: .removeAll, 4: .restart,
                    5: .kill, 1: .shutdown,
                ])
            )
        }
        size = random.chance(15) ? random.number(6_000...12_000) : 1 << 20
        storage = Storage(&random)
        hasNeighbour = storage.isOnDisk && random.chance(25)
        retries = random.chance(20) ? 1 : 0
        maximumLoads = random.chance(15) ? random.number(1...2) : nil
        coalesces = random.chance(20)
        hedging = random.chance(10) ? random.spread(0...800) : nil
        if coalesces, random.chance(40) { meet(&random) }
        if storage.isOnDisk, random.chance(30) { failDisk(&random, end: end) }
        if storage.isOnDisk, random.chance(10) { killAfterChange(&random) }
    }

    /// Has the process be killed as soon as loads have changed what is stored, while the disk is late.
    private mutating func killAfterChange(_ random: inout SimulationRandom) {
        (hasNeighbour, storage.delay) = (false, random.number(100...500))
        for index in resources.indices { resources[index].lifetime = 300 }
        // Each resource is loaded, changed and loaded again; the process is killed only while no load is in flight.
        let count = resources.count
        loads = Array(loads.prefix(3 * count))
        for index in loads.indices {
            let isChange = index / count == 1
            (loads[index].resource, loads[index].user, loads[index].credential) = (index % count, 0, .token)
            (loads[index].language, loads[index].mode, loads[index].cancelTime) = (0, .standard, nil)
            loads[index].method = isChange ? .put : .get
            loads[index].fault = isChange && random.chance(30) ? .lost : .none
            loads[index].time = index / count * 5_000 + random.below(20)
            loads[index].delays = (random.below(20), random.below(20))
        }
        acts = [(5_000 + random.below(300), .kill)]
    }

    /// Has the disk fail for a time, and some loads come when what was not removed is removed again.
    private mutating func failDisk(_ random: inout SimulationRandom, end: Int) {
        let begin = random.below(end)
        acts += [(begin, .breakDisk), (begin + random.spread(1...20_000), .mendDisk)]
        for index in resources.indices where random.chance(70) { resources[index].lifetime = 300 }
        for index in loads.indices where random.chance(40) { loads[index].time += random.number(50_000...90_000) }
        loads.sort { $0.time < $1.time }
    }

    /// Has loads meet in transfers, some of them past the cache, while it is told to forget what they load.
    private mutating func meet(_ random: inout SimulationRandom) {
        for index in loads.indices {
            loads[index].time = loads[index].time / 1_000 * 1_000 + random.below(300)
            loads[index].resource = 0
            (loads[index].user, loads[index].credential) = (0, .token)
            if random.chance(30) { loads[index].mode = .none }
        }
        loads.sort { $0.time < $1.time }
        for load in loads where random.chance(20) { acts.append((load.time + random.below(300), .remove(0))) }
    }

    var story: [String] {
        ["cache of \(size) bytes, \(storage)\(hasNeighbour ? ", in two processes" : "")"]
            + ["\(retries) retries, at most \(maximumLoads.map(String.init) ?? "any") loads"]
            + (coalesces ? ["equal loads share a transfer"] : [])
            + (hedging.map { ["a second request after \($0) ms"] } ?? [])
            + resources.enumerated().map { "resource \($0): \($1)" }
            + loads.enumerated().map { "load \($0): \($1)" } + acts.map { "at \($0.time) ms: \($0.act)" }
    }

    var simplifications: [CachingPlan] {
        var plans = shortening(\.loads) + shortening(\.acts)
        if retries > 0 { plans += replacing(self, \.retries, with: [0]) }
        if maximumLoads != nil { plans += replacing(self, \.maximumLoads, with: [nil]) }
        if coalesces { plans += replacing(self, \.coalesces, with: [false]) }
        if hedging != nil { plans += replacing(self, \.hedging, with: [nil]) }
        if size < 1 << 20 { plans += replacing(self, \.size, with: [1 << 20]) }
        if hasNeighbour { plans += replacing(self, \.hasNeighbour, with: [false]) }
        if storage.isOnDisk, !hasNeighbour { plans += replacing(self, \.storage.isOnDisk, with: [false]) }
        plans += replacing(self, \.storage.delay, with: storage.delay.simpler())
        plans += simplifying(\.loads) { load in
            var simpler = replacing(load, \.time, with: load.time.simpler())
            simpler += replacing(load, \.delays.0, with: load.delays.0.simpler())
            simpler += replacing(load, \.delays.1, with: load.delays.1.simpler())
            if load.cancelTime != nil { simpler += replacing(load, \.cancelTime, with: [nil]) }
            if load.credential != .token { simpler += replacing(load, \.credential, with: [.token]) }
            if load.user > 0 { simpler += replacing(load, \.user, with: [0]) }
            if load.isOfNeighbour { simpler += replacing(load, \.isOfNeighbour, with: [false]) }
            if load.isMoved { simpler += replacing(load, \.isMoved, with: [false]) }
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

extension CachingPlan.Storage {
    init(_ random: inout SimulationRandom) {
        isOnDisk = random.chance(20)
        memory = random.choose([0, 2_000, 1 << 20])
        delay = random.chance(70) ? random.spread(0...500) : 0
    }
}

extension CachingPlan.Load {
    init(_ random: inout SimulationRandom, end: Int) {
        time = random.below(end)
        resource = random.below(3)
        user = random.chance(70) ? 0 : random.below(3)
        credential = random.chance(60) ? .token : random.choose(CachingPlan.Credential.allCases)
        language = random.chance(80) ? 0 : 1
        method = random.choose([20: CachingPlan.Method.get, 2: .head, 3: .put])
        mode = random.chance(75) ? .standard : random.choose(CachePolicy.Mode.allCases)
        delays = (random.spread(0...800), random.spread(0...800))
        fault = random.choose([12: CachingPlan.Fault.none, 1: .unavailable, 1: .unreachable, 1: .lost])
        cancelTime = random.chance(10) ? time + random.spread(0...1_000) : nil
        isMoved = random.chance(15)
        isOfNeighbour = random.chance(40)
    }
}
