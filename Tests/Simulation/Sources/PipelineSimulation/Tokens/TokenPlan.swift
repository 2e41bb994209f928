// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SimulationCore

/// An API that wants tokens, the loads that need them, and what happens to both. Times are milliseconds.
struct TokenPlan: Plan {
    /// How the client gets its tokens.
    enum Grant: Sendable {
        case clientCredentials
        case refreshToken
        /// The user has not logged in yet.
        case login
        /// The tokens are keys that a function of the program fetches.
        case key
    }

    /// What becomes of a token request.
    enum Fault: Sendable {
        case none
        /// The server responds with 503, and has issued nothing.
        case unavailable
        /// It refuses the client.
        case refused
        /// Its response is none of a token endpoint.
        case malformed
        /// The request does not reach it.
        case unreachable
        /// It has issued tokens, but its response is lost.
        case lost
        /// It has issued tokens, but does not respond.
        case silent
    }

    struct Answer: Sendable {
        /// The time until the server has processed the request, and from then on until its response is there.
        var delays: (Int, Int)
        var fault: Fault

        static let plain = Answer(delays: (10, 10), fault: .none)
    }

    /// How an API responds to a request with a valid token.
    enum Outcome: Sendable {
        case success
        case unavailable
        case lost
        /// It redirects to a server that the token is not for.
        case redirect
    }

    struct Load: Sendable {
        enum Kind: Sendable {
            case ordinary
            /// The constraint may not hold it, so it carries no token.
            case free
            /// To a server that the token is not for.
            case elsewhere
        }

        var time: Int
        var kind: Kind
        var isPost: Bool
        var delay: Int
        var outcome: Outcome
        var cancelTime: Int?
        var total: Int?
    }

    enum Act: Sendable {
        /// The server does not accept the access tokens any more that it has issued.
        case revokeAccess
        /// The same for its refresh tokens.
        case revokeRefresh
        /// The program sets tokens, whose lifetime is in seconds.
        case logIn(lifetime: Int?, isRefreshable: Bool)
        /// A user logs in with a browser.
        case finishLogin
        case logOut
        case cancelAll
        /// Another process begins, unless something is in flight.
        case restart
        case shutdown
    }

    /// How late a storage is, and whether an earlier process has stored tokens.
    struct Storage: Sendable {
        var delay: Int
        var isFilled: Bool
    }

    var grant: Grant
    /// The lifetime of access tokens, in seconds; `nil` if the server does not say it.
    var lifetime: Int?
    /// Whether a refresh token is replaced when it is used.
    var rotates: Bool
    /// In seconds.
    var leeway: Int
    var rejectionLimit: Int
    /// The limit of one token request.
    var timeout: Int
    /// What becomes of the token requests in turn; later ones succeed.
    var answers: [Answer]
    var storage: Storage?
    /// Whether the API accepts no token.
    var refusesAll: Bool
    var maximumLoads: Int?
    var retries: Int
    var loads: [Load]
    var acts: [(time: Int, act: Act)]

    var story: [String] {
        [
            "tokens by \(grant), for \(lifetime.map { "\($0) s" } ?? "ever")\(rotates ? ", rotating" : "")",
            "leeway \(leeway) s, \(rejectionLimit) refusals in a row, limit \(timeout) ms",
            storage.map { "stored within \($0.delay) ms\($0.isFilled ? ", and before" : "")" } ?? "not stored",
            refusesAll ? "the API accepts none" : "the API accepts them",
            "\(retries) retries, at most \(maximumLoads.map(String.init) ?? "any") loads",
        ] + answers.enumerated().map { "token request \($0): \($1)" }
            + loads.enumerated().map { "load \($0): \($1)" } + acts.map { "at \($0.time) ms: \($0.act)" }
    }

    var simplifications: [TokenPlan] {
        var plans = shortening(\.loads) + shortening(\.acts) + shortening(\.answers)
        if retries > 0 { plans += replacing(self, \.retries, with: [0]) }
        if refusesAll { plans += replacing(self, \.refusesAll, with: [false]) }
        if maximumLoads != nil { plans += replacing(self, \.maximumLoads, with: [nil]) }
        if storage != nil { plans += replacing(self, \.storage, with: [nil]) }
        if storage?.isFilled == true { plans += replacing(self, \.storage!.isFilled, with: [false]) }
        if lifetime != nil { plans += replacing(self, \.lifetime, with: [nil]) }
        if rotates { plans += replacing(self, \.rotates, with: [false]) }
        plans += replacing(self, \.leeway, with: leeway.simpler())
        plans += simplifying(\.answers) { answer in
            replacing(answer, \.delays.0, with: answer.delays.0.simpler())
                + replacing(answer, \.delays.1, with: answer.delays.1.simpler())
        }
        plans += simplifying(\.loads) { load in
            var simpler = replacing(load, \.time, with: load.time.simpler())
            simpler += replacing(load, \.delay, with: load.delay.simpler())
            if load.cancelTime != nil { simpler += replacing(load, \.cancelTime, with: [nil]) }
            if load.total != nil { simpler += replacing(load, \.total, with: [nil]) }
            if load.isPost { simpler += replacing(load, \.isPost, with: [false]) }
            return simpler
        }
        return plans
    }
}

// MARK: What is known beforehand

extension TokenPlan {
    /// Whether each load succeeds that is not disturbed itself: it gets a token, and at most one of its tokens is
    /// refused. A load that waits for admission may find that its token has expired.
    var isHarmless: Bool {
        let isLong = lifetime.map { $0 >= 5 } ?? true
        let isAnswered = answers.allSatisfy { $0.fault == .none && $0.delays.0 + $0.delays.1 < timeout }
        guard grant != .login, !refusesAll, isLong, isAnswered, maximumLoads == nil else { return false }
        // The lifetime of a key is not known before it is refused.
        if grant == .key, lifetime != nil { return false }
        let revocations = acts.count { if case .revokeAccess = $0.act { true } else { false } }
        let canBeRevoked = revocations == 1 && acts.count == 1 && lifetime == nil && rejectionLimit > 0
        return acts.allSatisfy { _, act in
            switch act {
            case .logIn(_, let isRefreshable): isRefreshable || grant == .clientCredentials
            case .finishLogin: true
            case .revokeAccess: canBeRevoked
            case .revokeRefresh, .logOut, .cancelAll, .restart, .shutdown: false
            }
        }
    }
}

extension TokenPlan.Load {
    /// Whether nothing but a token can be missing.
    var isUndisturbed: Bool {
        cancelTime == nil && total == nil && (outcome == .success || outcome == .redirect && !isPost)
    }
}

// MARK: Drawing

extension TokenPlan {
    init(_ random: inout SimulationRandom) {
        grant = random.choose([3: Grant.clientCredentials, 5: .refreshToken, 1: .login, 2: .key])
        lifetime = random.chance(20) ? nil : random.chance(10) ? 0 : random.spread(1...60)
        rotates = random.chance(70)
        leeway = random.choose([0, 2, 30])
        rejectionLimit = random.choose([1: 0, 1: 1, 4: 3])
        timeout = random.choose([2: 30_000, 1: random.number(500...3_000)])
        let hasFaults = random.chance(50)
        answers = (0..<random.number(0...8)).map { _ in Answer(&random, hasFaults: hasFaults) }
        let delay = random.chance(40) ? 0 : random.spread(1...1_000)
        storage = random.chance(50) ? Storage(delay: delay, isFilled: random.chance(30)) : nil
        refusesAll = random.chance(5)
        maximumLoads = random.chance(15) ? random.number(1...2) : nil
        retries = random.chance(20) ? 1 : 0
        let (count, end) = (random.spread(2...30), random.spread(500...60_000))
        let loads = (0..<count).map { _ in Load(&random, end: end) }.sorted { $0.time < $1.time }
        let actCount = random.chance(60) ? random.number(1...4) : 0
        acts = (0..<actCount).map { _ in
            // Many at the time of a load, so that they meet what it begins.
            let isAtLoad = random.chance(60)
            let time = isAtLoad ? random.choose(loads).time + random.spread(0...50) : random.below(end)
            return (time, Act(&random))
        }
        self.loads = loads
        if storage != nil, random.chance(10) { meet(&random) }
        if storage != nil, random.chance(10) { refuseWhileStored(&random) }
        if grant == .key, random.chance(20) { delayKey(&random) }
    }

    /// Has the first key come after the limit of its flight, and after that of a later flight.
    private mutating func delayKey(_ random: inout SimulationRandom) {
        let late = Answer(delays: (random.below(10), random.number(60_000...70_000)), fault: .none)
        answers = [late, Answer(delays: (random.below(10), random.below(10)), fault: .none)]
        for index in loads.indices { loads[index].time = index == 0 ? 0 : random.number(50_000...90_000) }
        loads.sort { $0.time < $1.time }
    }

    /// Has a login come while the first load waits for the storage, which is then cancelled, and another one follows.
    private mutating func meet(_ random: inout SimulationRandom) {
        storage?.delay = random.number(100...1_000)
        (loads[0].time, loads[0].cancelTime) = (0, random.number(1...50))
        for index in loads.indices.dropFirst() where random.chance(50) { loads[index].time = random.number(20...200) }
        loads.sort { $0.time < $1.time }
        acts.append((random.below(50), .logIn(lifetime: random.choose([-5, 1]), isRefreshable: true)))
    }
}

extension TokenPlan {
    /// Has the server refuse the first token while it is stored and already used, by loads that come after the one
    /// that has requested it.
    private mutating func refuseWhileStored(_ random: inout SimulationRandom) {
        let delay = random.number(100...1_000)
        storage?.delay = delay
        (lifetime, rejectionLimit) = (nil, 3)
        answers = [TokenPlan.Answer(delays: (random.below(50), random.below(50)), fault: .none)]
        (loads[0].time, loads[0].cancelTime) = (0, random.number(1...50))
        for index in loads.indices.dropFirst() { loads[index].time = random.number(51...delay + 50) }
        loads.sort { $0.time < $1.time }
        acts = [(random.below(delay), .revokeAccess)]
    }
}

extension TokenPlan.Answer {
    fileprivate init(_ random: inout SimulationRandom, hasFaults: Bool) {
        delays = (random.spread(0...1_000), random.spread(0...1_000))
        fault =
            !hasFaults || random.chance(60)
            ? .none
            : random.choose([
                2: TokenPlan.Fault.unavailable, 1: .refused, 1: .malformed, 2: .unreachable, 2: .lost, 1: .silent,
            ])
    }
}

extension TokenPlan.Load {
    fileprivate init(_ random: inout SimulationRandom, end: Int) {
        // Many at once: they share token requests.
        time = random.chance(40) ? random.below(end) / 1_000 * 1_000 : random.below(end)
        kind = random.choose([16: Kind.ordinary, 1: .free, 1: .elsewhere])
        isPost = random.chance(20)
        delay = random.spread(0...1_000)
        outcome = random.choose([16: TokenPlan.Outcome.success, 1: .unavailable, 1: .lost, 1: .redirect])
        cancelTime = random.chance(12) ? time + random.spread(0...1_000) : nil
        total = random.chance(8) ? random.spread(1...3_000) : nil
    }
}

extension TokenPlan.Act {
    fileprivate init(_ random: inout SimulationRandom) {
        self = random.choose([
            6: TokenPlan.Act.revokeAccess, 1: .revokeRefresh,
            6: .logIn(
                lifetime: random.choose([nil, -5, 1, 20]),
                isRefreshable: random.chance(80)
            ),
            2: .finishLogin, 2: .logOut, 1: .cancelAll, 3: .restart, 1: .shutdown,
        ])
    }
}
