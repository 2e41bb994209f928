// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SimulationCore

/// Servers that want answers to Digest challenges, and the loads that answer them. Times are milliseconds.
struct ChallengePlan: Plan {
    /// What a server demands of its nonces.
    struct Server: Sendable {
        var algorithm: String
        /// `nil` for RFC 2069, which has no counts.
        var protection: String?
        /// The most requests that may use one nonce; `nil` for any number. A server that accepts none lets no load in.
        var uses: Int?
        /// Whether a count must be higher than all before it.
        var isOrdered: Bool
        var lifetime: Int?
        /// Whether it says so if only the nonce is refused.
        var saysStale: Bool
        /// After how many requests it hands out another nonce; `nil` for never.
        var nextNonceAfter: Int?
        var provesItself: Bool
        /// Whether the client has another password.
        var hasOtherPassword: Bool
    }

    struct Load: Sendable {
        var time: Int
        var server: Int
        var isPost: Bool
        /// Whether the request has the credential, and not the store.
        var hasCredential: Bool
        /// Whether the server redirects it to the other one.
        var isRedirected: Bool
        /// The times until a request of it arrives, in turn, and until its response does.
        var delays: [Int]
        var cancelTime: Int?
    }

    var servers: [Server]
    /// Whether the user has the same password for both.
    var hasOnePassword: Bool
    var loads: [Load]
    var maximumLoads: Int?

    var story: [String] {
        servers.enumerated().map { "server \($0): \($1)" } + [hasOnePassword ? "one password" : "two passwords"]
            + ["at most \(maximumLoads.map(String.init) ?? "any") loads"]
            + loads.enumerated().map { "load \($0): \($1)" }
    }

    var simplifications: [ChallengePlan] {
        var plans = shortening(\.loads)
        if maximumLoads != nil { plans += replacing(self, \.maximumLoads, with: [nil]) }
        plans += simplifying(\.servers) { server in
            var simpler: [Server] = []
            if server.uses != nil { simpler += replacing(server, \.uses, with: [nil]) }
            if server.lifetime != nil { simpler += replacing(server, \.lifetime, with: [nil]) }
            if server.nextNonceAfter != nil { simpler += replacing(server, \.nextNonceAfter, with: [nil]) }
            if server.isOrdered { simpler += replacing(server, \.isOrdered, with: [false]) }
            if server.algorithm != "MD5" { simpler += replacing(server, \.algorithm, with: ["MD5"]) }
            return simpler
        }
        plans += simplifying(\.loads) { load in
            var simpler = replacing(load, \.time, with: load.time.simpler())
            if load.cancelTime != nil { simpler += replacing(load, \.cancelTime, with: [nil]) }
            if load.isRedirected { simpler += replacing(load, \.isRedirected, with: [false]) }
            if load.hasCredential { simpler += replacing(load, \.hasCredential, with: [false]) }
            simpler += load.delays.indices.flatMap { replacing(load, \.delays[$0], with: load.delays[$0].simpler()) }
            return simpler
        }
        return plans
    }
}

// MARK: Drawing

extension ChallengePlan {
    init(_ random: inout SimulationRandom) {
        servers = (0..<2).map { _ in Server(&random) }
        hasOnePassword = random.chance(40)
        let (count, end) = (random.spread(1...20), random.spread(1...5_000))
        loads = (0..<count).map { _ in Load(&random, end: end) }.sorted { $0.time < $1.time }
        maximumLoads = random.chance(15) ? random.number(1...3) : nil
    }
}

extension ChallengePlan.Server {
    fileprivate init(_ random: inout SimulationRandom) {
        algorithm = random.choose(["MD5", "MD5-sess", "SHA-256", "SHA-256-sess", "SHA-512-256"])
        protection = random.choose([6: "auth", 2: "auth-int", 1: nil])
        if protection == nil { algorithm = "MD5" }
        uses = random.chance(60) ? nil : random.number(0...4)
        isOrdered = random.chance(40)
        lifetime = random.chance(60) ? nil : random.spread(300...3_000)
        saysStale = random.chance(75)
        nextNonceAfter = random.chance(75) ? nil : random.number(1...4)
        provesItself = random.chance(50)
        hasOtherPassword = random.chance(12)
    }
}

extension ChallengePlan.Load {
    fileprivate init(_ random: inout SimulationRandom, end: Int) {
        time = random.chance(40) ? random.below(end) / 500 * 500 : random.below(end)
        server = random.chance(80) ? 0 : 1
        isPost = random.chance(25)
        hasCredential = random.chance(20)
        isRedirected = random.chance(6)
        delays = (0..<random.number(1...4)).map { _ in random.spread(0...100) }
        cancelTime = random.chance(8) ? time + random.spread(0...200) : nil
    }
}
