// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SimulationCore

private let millisecond: Int64 = 1_000_000

extension TransportPlan {
    /// Draws up a history.
    static func drawn(_ random: inout SimulationRandom) -> TransportPlan {
        let hosts = (0..<random.number(1...3)).map { _ in HostPlan.drawn(&random) }
        let count = random.chance(3) ? random.number(20...40) : random.spread(1...20)
        // All at once, or one after the other.
        let span = random.choose([0, 5, 200, 5_000])
        var plan = TransportPlan(hosts: hosts, loads: [])
        plan.settings = .drawn(&random)
        plan.loads = (0..<count).map { _ in .drawn(&random, hosts, span: span) }
        if random.chance(35) { plan.chain(&random) }
        if random.chance(12) { for index in plan.loads.indices { plan.loads[index].route = random.below(3) } }
        if random.chance(10) { plan.meetLimits(&random) }
        if plan.loads.contains(where: \.isLarge) { plan.widen() }
        if plan.settings.maximumPerHost != nil, random.chance(25) { plan.contest(&random) }
        if random.chance(15) {
            plan.shutdown = random.time(0...6_000)
            plan.isReleased = random.chance(40)
        }
        if random.chance(30) { plan.interruptedPercent = random.choose([5, 50]) }
        if random.chance(8) { plan.scarcity = random.number(2...6) }
        if random.chance(4) { (plan.absentThreads, plan.absentLoops) = (random.below(3), random.below(3)) }
        if random.below(400) == 0 { plan.drawAbandonedDownloads(&random) }
        if random.chance(2) { plan.drawUnreadExcess(&random) }
        if random.chance(1) { plan.drawFullSocket(&random) }
        if random.chance(1) { plan.drawColdStarts(&random) }
        if random.chance(30) { plan.crowd = random.choose([10, random.number(85...97), 100, 300]) }
        if random.chance(15) { (plan.lagPercent, plan.lag) = (random.choose([5, 50]), random.time(1...20)) }
        plan.limitRefusals()
        return plan
    }
}

extension TransportPlan {
    /// Has some loads demand a connection of their own, and others leave the queue soon.
    private mutating func contest(_ random: inout SimulationRandom) {
        for index in loads.indices {
            if random.chance(30) { loads[index].requiresNewConnection = true }
            if random.chance(15) { loads[index].cancelled = loads[index].start + random.time(0...50) }
        }
    }

    /// Has some callers send one request after the other, most of them to the same host.
    private mutating func chain(_ random: inout SimulationRandom) {
        for index in loads.indices.dropFirst() where random.chance(60) {
            loads[index].pauseAfterPrevious = random.choose([0, 0, Int64(random.below(200_000)), random.time(0...100)])
            let previous = loads[index - 1]
            guard random.chance(70), hosts[previous.host].isHarmless == hosts[loads[index].host].isHarmless else {
                continue
            }
            (loads[index].host, loads[index].runsOnLoop) = (previous.host, previous.runsOnLoop)
        }
    }

    /// A server that does nothing wrong refuses a load, or goes away before it, no more often than a load is repeated.
    private mutating func limitRefusals() {
        for index in loads.indices where hosts[loads[index].host].isHarmless {
            var rest = 5 - hosts[loads[index].host].connections.count { $0.http2.goAway != nil }
            for answer in loads[index].answers.indices where loads[index].answers[answer].refusal != nil {
                rest -= 1
                if rest < 0 { loads[index].answers[answer].refusal = nil }
            }
        }
    }

    /// Does nothing byte by byte: a large content would take a million steps.
    private mutating func widen() {
        for host in hosts.indices {
            for index in hosts[host].connections.indices {
                hosts[host].connections[index].room = max(5_000, hosts[host].connections[index].room)
                hosts[host].connections[index].piece = max(5_000, hosts[host].connections[index].piece)
                hosts[host].connections[index].http2.window = max(5_000, hosts[host].connections[index].http2.window)
            }
        }
        for load in loads.indices {
            for index in loads[load].answers.indices {
                loads[load].answers[index].piece = max(5_000, loads[load].answers[index].piece)
            }
        }
    }
}

extension LoadPlan {
    fileprivate var isLarge: Bool {
        let isLongAnswer = answers.contains { $0.size > 5_000 }
        switch content {
        case .none: return isLongAnswer
        case .memory(let size): return isLongAnswer || size > 5_000
        case .source(let plan): return isLongAnswer || plan.size > 5_000
        }
    }
}

extension SimulationRandom {
    /// A time of so many milliseconds.
    mutating func time(_ milliseconds: ClosedRange<Int>) -> Int64 {
        Int64(spread(milliseconds)) * millisecond + (chance(20) ? Int64(below(Int(millisecond))) : 0)
    }
}

extension SettingsPlan {
    fileprivate static func drawn(_ random: inout SimulationRandom) -> SettingsPlan {
        var plan = SettingsPlan()
        if random.chance(10) { plan.loops = 2 }
        if random.chance(40) { plan.maximumPerHost = random.choose([1, 1, 2, 3, 6]) }
        if random.chance(6) { plan.version = random.choose([.http1, .http1, .http2]) }
        if random.chance(20) { plan.maximumIdleTime = random.time(0...3_000) }
        if random.chance(15) { plan.maximumAge = random.choose([0, random.time(1...50), random.time(1...3_000)]) }
        if random.chance(30) { plan.pingInterval = random.choose([nil, 100 * millisecond, 1_000 * millisecond]) }
        if random.chance(50) { plan.expectContinueThreshold = random.choose([nil, 0, 100, 2_000]) }
        if random.chance(10) { plan.maximumConcurrentStreams = random.choose([1, 2, 5]) }
        if random.chance(10) { plan.maximumIdleConnections = random.below(3) }
        if random.chance(8) { plan.contentLimit = random.choose([0, 50, 1_000, 20_000]) }
        return plan
    }
}

// MARK: Hosts

extension HostPlan {
    fileprivate static func drawn(_ random: inout SimulationRandom) -> HostPlan {
        var plan = HostPlan()
        plan.isSecure = random.chance(55)
        plan.isHarmless = random.chance(45)
        let (isSecure, isHarmless) = (plan.isSecure, plan.isHarmless)
        let first = ConnectionPlan.drawn(&random, isSecure: isSecure, isHarmless: isHarmless)
        plan.connections = [first]
        for _ in 0..<random.choose([6: 0, 3: 1, 2: 3]) {
            plan.connections.append(.drawn(&random, isSecure: isSecure, isHarmless: isHarmless))
        }
        // A server that sends away everyone for ever does not let a load succeed.
        if isHarmless, var last = plan.connections.last, last.http2.goAway != nil {
            last.http2.goAway = nil
            plan.connections.append(last)
        }
        return plan
    }
}

extension ConnectionPlan {
    fileprivate static func drawn(
        _ random: inout SimulationRandom,
        isSecure: Bool,
        isHarmless: Bool
    ) -> ConnectionPlan {
        var plan = ConnectionPlan()
        plan.delay = random.time(0...300)
        plan.latency = random.choose([0, 100_000, Int64(random.below(50)) * millisecond])
        plan.speaksHTTP2 = isSecure && random.chance(75)
        if random.chance(30) { plan.room = random.choose([1, 50, 1_000, 5_000]) }
        // Else a request would take hours.
        if plan.room < 1_000 { plan.latency = min(plan.latency, 100_000) }
        if random.chance(20), plan.room >= 1_000 { plan.readingTime = random.time(0...30) }
        if random.chance(30) { plan.piece = random.choose([1, 20, 1_000]) }
        if random.chance(isHarmless ? 15 : 30) { plan.ending = .drawn(&random, isHarmless: isHarmless) }
        if !isHarmless { plan.drawFaults(&random) }
        if plan.speaksHTTP2 { plan.http2 = .drawn(&random, isHarmless: isHarmless) }
        if plan.http2.window < 1_000 {
            (plan.http2.updateDelay, plan.readingTime, plan.latency) = (0, 0, min(plan.latency, 100_000))
            plan.room = max(plan.room, 1_000)
        }
        return plan
    }

    private mutating func drawFaults(_ random: inout SimulationRandom) {
        if random.chance(25) { attempt = random.choose([.refused, .never, .closedAfterHandshake]) }
        if random.chance(20) {
            speaking = Speaking(speech: random.choose([.response, .junk]), after: random.time(0...1_000))
            if random.chance(50) { speaking?.after = 0 }
        }
    }
}

extension ConnectionPlan.Ending {
    fileprivate static func drawn(_ random: inout SimulationRandom, isHarmless: Bool) -> Self {
        let faults: [ConnectionPlan.End] = [.closedIdle, .closed, .reset, .frozen, .unsendable]
        return Self(end: isHarmless ? .closedIdle : random.choose(faults), after: random.time(0...3_000))
    }
}

extension HTTP2Plan {
    fileprivate static func drawn(_ random: inout SimulationRandom, isHarmless: Bool) -> HTTP2Plan {
        var plan = HTTP2Plan()
        if random.chance(20) { plan.settingsDelay = random.time(0...100) }
        if random.chance(50) {
            plan.limits = [Limit(count: random.choose(isHarmless ? [1, 1, 3, 100] : [0, 1, 3, 100]), after: 0)]
        }
        if random.chance(20) {
            let counts = isHarmless ? [1, 2, 100] : [0, 1, 3, 100]
            plan.limits.append(Limit(count: random.choose(counts), after: random.time(0...2_000)))
        }
        if random.chance(30) { plan.window = random.choose([1, 10, 1_000, 20_000]) }
        if random.chance(30) { plan.updateDelay = random.time(0...100) }
        if random.chance(15) { plan.goAway = .drawn(&random, isHarmless: isHarmless) }
        if !isHarmless, random.chance(5) { plan.drawFarewell(&random) }
        if random.chance(10) { plan.changeWindow(&random) }
        if random.chance(10) { plan.pings = (0..<random.number(1...3)).map { _ in random.time(0...2_000) } }
        if random.chance(30) { plan.frame = random.choose([1 << 10, 4 << 10]) }
        if random.chance(15) { plan.padding = random.number(1...255) }
        return plan
    }
}

extension HTTP2Plan {
    /// Has the window of each request become smaller or larger, perhaps closed until it grows again.
    private mutating func changeWindow(_ random: inout SimulationRandom) {
        let time = random.time(0...500)
        laterWindows = [Window(size: random.choose([1_000, 20_000, 200_000]), after: time)]
        if random.chance(50) {
            laterWindows.append(Window(size: laterWindows[0].size, after: time + random.time(1...200)))
            laterWindows[0].size = 0
        }
    }

    /// Allows nothing more, and then goes away, which only ends the wait.
    private mutating func drawFarewell(_ random: inout SimulationRandom) {
        let time = random.time(0...30)
        limits = [Limit(count: 0, after: time)]
        goAway = GoAway(after: time + random.time(1...50))
    }
}

extension HTTP2Plan.GoAway {
    fileprivate static func drawn(_ random: inout SimulationRandom, isHarmless: Bool) -> Self {
        let demandsHTTP1 = !isHarmless && random.chance(20)
        // Most requests are sent at first.
        let after = random.chance(50) ? random.time(0...2_000) : random.time(0...30)
        var plan = Self(after: after, excluded: random.below(3), demandsHTTP1: demandsHTTP1)
        if random.chance(30) { plan.warning = random.time(0...200) }
        if !isHarmless, random.chance(40) {
            let end = random.choose([ConnectionPlan.End.closed, .reset, .frozen])
            plan.ending = ConnectionPlan.Ending(end: end, after: random.time(0...50))
        }
        return plan
    }
}
