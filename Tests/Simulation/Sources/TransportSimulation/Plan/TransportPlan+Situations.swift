// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SimulationCore

// Situations that chance alone would bring too seldom.

private let millisecond: Int64 = 1_000_000

extension TransportPlan {
    /// Large responses in small frames, which nobody waits for any more, beside small ones on the same connection.
    mutating func drawAbandonedDownloads(_ random: inout SimulationRandom) {
        var connection = ConnectionPlan()
        connection.latency = random.time(5...40)
        connection.http2.frame = 1 << 10
        let host = hosts.count
        hosts.append(HostPlan(isSecure: true, isHarmless: true, connections: [connection]))
        for number in 0..<random.number(1...3) {
            var load = LoadPlan(start: Int64(number) * millisecond, host: host)
            load.answers = [AnswerPlan(size: random.number(1 << 20...3 << 20), piece: 4 << 20)]
            load.cancelled = load.start + random.time(20...200)
            loads.append(load)
        }
        for _ in 0..<3 { loads.append(LoadPlan(start: random.time(0...300), host: host)) }
    }
}

extension TransportPlan {
    /// Many loads at once for a server that allows one stream, says so late, and goes away again and again.
    mutating func drawColdStarts(_ random: inout SimulationRandom) {
        let (host, latency) = (hosts.count, random.time(10...20))
        if random.chance(70) { settings.maximumPerHost = 1 }
        var connections = (0..<random.number(7...9)).map { _ in
            var connection = ConnectionPlan()
            connection.latency = latency
            connection.http2.settingsDelay = random.time(0...20)
            connection.http2.limits = [HTTP2Plan.Limit(count: 1, after: 0)]
            connection.http2.goAway = HTTP2Plan.GoAway(after: random.time(25...60))
            return connection
        }
        connections[connections.count - 1].http2.goAway = nil
        hosts.append(HostPlan(isSecure: true, isHarmless: true, connections: connections))
        for _ in 0..<random.number(15...20) {
            var load = LoadPlan(start: random.time(0...5), host: host)
            load.answers = [AnswerPlan(size: random.below(40))]
            loads.append(load)
        }
    }
}

extension TransportPlan {
    /// Responses that come byte by byte, with more behind them that the client has not read when the next load starts.
    mutating func drawUnreadExcess(_ random: inout SimulationRandom) {
        let host = hosts.count
        hosts.append(HostPlan(isHarmless: false, connections: [ConnectionPlan(piece: random.choose([1, 20]))]))
        interruptedPercent = 50
        for _ in 0..<random.number(3...8) {
            var load = LoadPlan(start: random.time(0...20), startsInTurn: random.chance(70), host: host)
            load.cancelled = load.start + random.time(5_000...60_000)
            let excess = random.choose([nil, ConnectionPlan.Speech.response, .junk])
            load.answers = [AnswerPlan(size: random.below(40), excess: excess, isExcessPrompt: true)]
            loads.append(load)
        }
    }
}

extension TransportPlan {
    /// Content that still fills the socket when its request has its response, so that the next request has to wait for
    /// room while more comes behind the response.
    mutating func drawFullSocket(_ random: inout SimulationRandom) {
        let (host, room) = (hosts.count, random.choose([1_000, 5_000]))
        let connection = ConnectionPlan(speaksHTTP2: false, latency: random.choose([0, 100_000]), room: room)
        hosts.append(HostPlan(isSecure: random.chance(30), isHarmless: false, connections: [connection]))
        settings.maximumPerHost = 1
        for _ in 0..<random.number(3...8) {
            var load = LoadPlan(start: random.time(0...20), startsInTurn: random.chance(30), host: host)
            load.cancelled = load.start + random.time(5_000...60_000)
            if random.chance(50) { (load.method, load.content) = (.put, .memory(room)) }
            let excess = random.choose([nil, ConnectionPlan.Speech.response, .junk])
            load.answers = [AnswerPlan(moment: .head, size: random.below(40), excess: excess, keepsEarly: true)]
            loads.append(load)
        }
    }
}

extension TransportPlan {
    /// Has contents be as large as something has room for, or one byte less or more.
    mutating func meetLimits(_ random: inout SimulationRandom) {
        for load in loads.indices where random.chance(60) {
            let connection = random.choose(hosts[loads[load].host].connections)
            let limits = [connection.room, connection.piece, connection.http2.window, 16 << 10, 65_535]
            loads[load].content.resize(to: random.choose(limits) + random.number(-1...1))
            for answer in loads[load].answers.indices where random.chance(50) {
                loads[load].answers[answer].size = random.choose(limits) + random.number(-1...1)
            }
        }
    }
}

extension ContentPlan {
    /// Gives it another size, unless there is none. A source makes it in few parts.
    fileprivate mutating func resize(to size: Int) {
        switch self {
        case .none: break
        case .memory: self = .memory(size)
        case .source(var plan):
            (plan.size, plan.part) = (size, max(plan.part, size / 10 + 1))
            plan.failsAt = plan.failsAt.map { min($0, size) }
            plan.secondSize = plan.secondSize.map { min($0, size) }
            self = .source(plan)
        }
    }
}
