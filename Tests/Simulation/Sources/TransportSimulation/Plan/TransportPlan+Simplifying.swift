// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SimulationCore

extension TransportPlan {
    var simplifications: [TransportPlan] { allSimplifications.filter(\.endsByItself) }

    /// Whether each load gives up some time, if its server never answers.
    private var endsByItself: Bool {
        loads.allSatisfy { hosts[$0.host].isHarmless || $0.limits.total != nil || $0.cancelled != nil }
    }

    private var allSimplifications: [TransportPlan] {
        shortening(\.loads)
            + replacing(self, \.shutdown, with: shutdown == nil ? [] : [nil])
            + defaulting(self, \.isReleased, to: false) + defaulting(self, \.scarcity, to: 0)
            + defaulting(self, \.absentThreads, to: 0) + defaulting(self, \.absentLoops, to: 0)
            + replacing(self, \.settings, with: settings.simplifications)
            + replacing(self, \.crowd, with: crowd.simpler())
            + defaulting(self, \.interruptedPercent, to: 0)
            + replacing(self, \.lagPercent, with: lagPercent == 0 ? [] : [0])
            + simplifying(\.loads, \.simplifications)
            + simplifying(\.hosts, \.simplifications)
    }
}

/// The simpler values of a property that has a default.
private func defaulting<Value, Part: Equatable>(
    _ value: Value,
    _ part: WritableKeyPath<Value, Part>,
    to simple: Part
) -> [Value] {
    value[keyPath: part] == simple ? [] : replacing(value, part, with: [simple])
}

extension SettingsPlan {
    var simplifications: [SettingsPlan] {
        defaulting(self, \.loops, to: 1) + defaulting(self, \.maximumPerHost, to: nil)
            + defaulting(self, \.maximumIdleTime, to: 118_000_000_000)
            + defaulting(self, \.pingInterval, to: 15_000_000_000)
            + defaulting(self, \.expectContinueThreshold, to: 1 << 20)
            + defaulting(self, \.maximumConcurrentStreams, to: 100) + defaulting(self, \.version, to: .automatic)
            + defaulting(self, \.maximumAge, to: nil) + defaulting(self, \.contentLimit, to: 32 << 20)
    }
}

extension HostPlan {
    var simplifications: [HostPlan] {
        var shorter: [HostPlan] = []
        if connections.count > 1 {
            for index in connections.indices {
                var plan = self
                plan.connections.remove(at: index)
                shorter.append(plan)
            }
        }
        let simpler = connections.indices.flatMap { index in
            connections[index].simplifications.map { connection in
                var plan = self
                plan.connections[index] = connection
                return plan
            }
        }
        return shorter + defaulting(self, \.isSecure, to: false) + simpler
    }
}

extension ConnectionPlan {
    var simplifications: [ConnectionPlan] {
        let plain = ConnectionPlan()
        return defaulting(self, \.attempt, to: .made) + defaulting(self, \.ending, to: nil)
            + defaulting(self, \.speaking, to: nil) + defaulting(self, \.delay, to: plain.delay)
            + defaulting(self, \.latency, to: plain.latency) + defaulting(self, \.room, to: plain.room)
            + defaulting(self, \.readingTime, to: 0) + defaulting(self, \.piece, to: plain.piece)
            + defaulting(self, \.speaksHTTP2, to: false) + replacing(self, \.http2, with: http2.simplifications)
    }
}

extension HTTP2Plan {
    var simplifications: [HTTP2Plan] {
        let plain = HTTP2Plan()
        return defaulting(self, \.settingsDelay, to: 0) + defaulting(self, \.window, to: plain.window)
            + defaulting(self, \.updateDelay, to: 0) + defaulting(self, \.goAway, to: nil)
            + (goAway?.warning == nil ? [] : replacing(self, \.goAway, with: [goAway?.withoutWarning]))
            + defaulting(self, \.laterWindows, to: []) + defaulting(self, \.padding, to: 0)
            + defaulting(self, \.pings, to: [])
            + defaulting(self, \.frame, to: plain.frame) + defaulting(self, \.limits, to: [])
            + (limits.count > 1 ? replacing(self, \.limits, with: [Array(limits.dropLast())]) : [])
    }
}

extension HTTP2Plan.GoAway {
    fileprivate var withoutWarning: Self {
        var plan = self
        plan.warning = nil
        return plan
    }
}

extension LoadPlan {
    var simplifications: [LoadPlan] {
        let shorter = answers.indices.map { index in
            var plan = self
            plan.answers.remove(at: index)
            return plan
        }
        let simpler = answers.indices.flatMap { index in
            answers[index].simplifications.map { answer in
                var plan = self
                plan.answers[index] = answer
                return plan
            }
        }
        return shorter + defaulting(self, \.cancelled, to: nil) + defaulting(self, \.reader, to: .collected)
            + defaulting(self, \.requiresNewConnection, to: false) + defaulting(self, \.runsOnLoop, to: false)
            + defaulting(self, \.startsInTurn, to: false) + defaulting(self, \.route, to: 0)
            + defaulting(self, \.limits, to: LimitsPlan()) + defaulting(self, \.pauseAfterPrevious, to: nil)
            + (pauseAfterPrevious == nil ? [] : defaulting(self, \.pauseAfterPrevious, to: 0))
            + replacing(self, \.content, with: content.simplifications)
            + replacing(self, \.reader, with: reader.simplifications)
            + (content == .none ? defaulting(self, \.method, to: .get) : [])
            + replacing(self, \.start, with: start.simpler()) + simpler
    }
}

extension ContentPlan {
    var simplifications: [ContentPlan] {
        switch self {
        case .none: []
        case .memory(let size): [.none] + size.simpler().map { .memory($0) }
        case .source(let plan):
            [.none, .memory(plan.size)]
                + (defaulting(plan, \.pause, to: 0) + defaulting(plan, \.failsAt, to: nil)
                + defaulting(plan, \.surplus, to: 0) + defaulting(plan, \.secondSize, to: nil)
                + defaulting(plan, \.part, to: 1 << 10)
                + defaulting(plan, \.isDeaf, to: false) + defaulting(plan, \.isReplayable, to: true)
                + defaulting(plan, \.isRewindable, to: true) + replacing(plan, \.size, with: plan.size.simpler()))
                .map { .source($0) }
        }
    }
}

extension ReaderPlan {
    var simplifications: [ReaderPlan] {
        guard case .streamed(let plan) = self else { return [] }
        return
            (defaulting(plan, \.pause, to: 0) + defaulting(plan, \.leavesAfter, to: nil)
            + defaulting(plan, \.holds, to: 0)).map { .streamed($0) }
    }
}

extension AnswerPlan {
    var simplifications: [AnswerPlan] {
        let plain = AnswerPlan()
        return defaulting(self, \.cutting, to: nil) + defaulting(self, \.excess, to: nil)
            + defaulting(self, \.flaw, to: nil) + defaulting(self, \.isHTTP10, to: false)
            + defaulting(self, \.refusal, to: nil) + defaulting(self, \.moment, to: .complete)
            + defaulting(self, \.delay, to: 0) + defaulting(self, \.pause, to: 0)
            + defaulting(self, \.piece, to: plain.piece) + defaulting(self, \.hasInterim, to: false)
            + defaulting(self, \.interimPause, to: 0)
            + defaulting(self, \.hasTrailers, to: false) + defaulting(self, \.framing, to: .length)
            + defaulting(self, \.consent, to: .given) + defaulting(self, \.closes, to: false)
            + defaulting(self, \.keepAlive, to: nil) + defaulting(self, \.keepAliveMaximum, to: nil)
            + defaulting(self, \.status, to: 200)
            + defaulting(self, \.excessPause, to: nil) + defaulting(self, \.isExcessPrompt, to: false)
            + defaulting(self, \.keepsEarly, to: false) + defaulting(self, \.stopsEarly, to: false)
            + replacing(self, \.size, with: size.simpler(towards: 100))
    }
}
