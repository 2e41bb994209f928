// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SimulationCore

extension LoadPlan {
    static func drawn(_ random: inout SimulationRandom, _ hosts: [HostPlan], span: Int) -> LoadPlan {
        var plan = LoadPlan()
        plan.host = random.below(hosts.count)
        plan.start = span == 0 ? 0 : random.time(0...span)
        plan.method = random.choose([8: .get, 1: .head, 5: .post, 2: .keyedPost, 4: .put, 1: .delete])
        switch plan.method {
        case .get, .head, .delete: break
        case .post, .keyedPost, .put: plan.content = .drawn(&random)
        }
        if random.chance(35) { plan.reader = .streamed(.drawn(&random)) }
        if random.chance(15) { plan.cancelled = plan.start + random.time(0...1_000) }
        if random.chance(8) { plan.requiresNewConnection = true }
        plan.startsInTurn = random.chance(20)
        plan.runsOnLoop = random.chance(15)
        let isHarmless = hosts[plan.host].isHarmless
        if random.chance(isHarmless ? 25 : 60) { plan.limits = .drawn(&random, isHarmless: isHarmless) }
        for _ in 0..<random.choose([4: 0, 6: 1, 2: 2, 1: 4]) {
            plan.answers.append(.drawn(&random, isHarmless: isHarmless))
        }
        if random.chance(2) { plan.drawSlowReader(&random, isHarmless: isHarmless) }
        // Whoever waits for a server without a limit gives up at some time.
        if !isHarmless, plan.limits.total == nil, plan.cancelled == nil {
            plan.cancelled = plan.start + random.time(5_000...60_000)
        }
        return plan
    }
}

extension LoadPlan {
    /// More content than the reader is sent ahead, and longer pauses than the silence that is allowed.
    private mutating func drawSlowReader(_ random: inout SimulationRandom, isHarmless: Bool) {
        reader = .streamed(StreamPlan(pause: random.time(100...5_000)))
        if answers.isEmpty { answers.append(AnswerPlan()) }
        for index in answers.indices { answers[index].size = random.number(60_000...200_000) }
        if !isHarmless { limits.idle = random.time(1...1_000) }
    }
}

extension LimitsPlan {
    fileprivate static func drawn(_ random: inout SimulationRandom, isHarmless: Bool) -> LimitsPlan {
        var plan = LimitsPlan()
        // A harmless host is slow, but not as slow as that.
        let range = isHarmless ? 200_000...400_000 : 1...5_000
        if random.chance(50) { plan.total = random.time(range) }
        if random.chance(25) { plan.connect = random.time(range) }
        if random.chance(25) { plan.firstByte = random.time(range) }
        if random.chance(25) { plan.idle = random.time(range) }
        return plan
    }
}

extension ContentPlan {
    fileprivate static func drawn(_ random: inout SimulationRandom) -> ContentPlan {
        let size = random.chance(3) ? random.spread(0...200_000) : random.spread(0...5_000)
        return random.chance(40) ? .memory(size) : .source(.drawn(&random, size: size))
    }
}

extension SourcePlan {
    fileprivate static func drawn(_ random: inout SimulationRandom, size: Int) -> SourcePlan {
        var plan = SourcePlan(size: size)
        plan.announcesLength = random.chance(50)
        plan.part = max(1, random.choose([size, size / 2 + 1, size / 5 + 1, 1_000, 20_000]))
        if random.chance(40) { plan.pause = random.time(0...100) }
        if random.chance(5) {
            // In few parts, or the load would take hours.
            (plan.pause, plan.part) = (random.time(100...20_000), max(plan.part, size / 4 + 1))
        }
        plan.isDeaf = random.chance(50)
        plan.isRewindable = random.chance(70)
        plan.isReplayable = plan.isRewindable && random.chance(60)
        if plan.announcesLength, random.chance(8) { plan.surplus = max(-size, random.choose([-300, -1, 1, 300])) }
        if random.chance(8) { plan.failsAt = random.below(size + 1) }
        if plan.isRewindable, random.chance(10) { plan.secondSize = random.below(size + 1) }
        return plan
    }
}

extension StreamPlan {
    fileprivate static func drawn(_ random: inout SimulationRandom) -> StreamPlan {
        var plan = StreamPlan()
        if random.chance(50) { plan.pause = random.time(0...500) }
        if random.chance(20) { plan.leavesAfter = random.below(4) }
        if random.chance(20) { plan.holds = random.time(0...3_000) }
        return plan
    }
}

extension AnswerPlan {
    fileprivate static func drawn(_ random: inout SimulationRandom, isHarmless: Bool) -> AnswerPlan {
        var plan = AnswerPlan()
        plan.status = random.choose([12: 200, 1: 204, 1: 304, 2: 404, 1: 503])
        // Large enough for readers to be waited for, in some histories.
        plan.size = random.chance(6) ? random.spread(0...400_000) : random.spread(0...3_000)
        if random.chance(4) { plan.size = random.below(60_000) }
        plan.delay = random.choose([0, 0, random.time(0...100), random.time(0...1_000)])
        plan.framing = random.choose([5: .length, 4: .chunked, 1: .connection])
        plan.consent = random.choose([5: .given, 3: .silent, 2: .refused])
        plan.hasInterim = random.chance(10)
        if random.chance(50) { plan.interimPause = random.time(0...300) }
        plan.hasTrailers = random.chance(10)
        if random.chance(40) { plan.piece = max(1, random.choose([plan.size / 2, plan.size / 10, 300])) }
        if random.chance(50) { plan.pause = random.time(0...50) }
        plan.closes = random.chance(10)
        if random.chance(15) { plan.keepAlive = random.choose([0, 1, 2, 60]) }
        if plan.keepAlive != nil, random.chance(50) { plan.keepAliveMaximum = random.choose([0, 1, 2, 5]) }
        if random.chance(10) { plan.moment = .head }
        plan.keepsEarly = random.chance(50)
        plan.stopsEarly = random.chance(50)
        if random.chance(10) { plan.refusal = .refusedStream }
        if random.chance(3) { plan.flaw = random.choose([.fieldName, .lengths, .interims]) }
        plan.isHTTP10 = random.chance(4)
        if !isHarmless { plan.drawFaults(&random) }
        return plan
    }

    private mutating func drawFaults(_ random: inout SimulationRandom) {
        if random.chance(12) { moment = .never }
        if random.chance(25) {
            cutting = Cutting(percent: random.number(0...100), cut: random.choose([.closed, .reset, .silent]))
        }
        if random.chance(12) { excess = random.choose([.response, .junk]) }
        isExcessPrompt = random.chance(50)
        if random.chance(50) { excessPause = random.time(0...200) }
        if random.chance(15) { refusal = random.choose([.refusedStream, .http11Required, .internalError]) }
    }
}
