// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension AdmissionState {
    /// Admits the waiting loads that may be sent after a change at one host.
    mutating func dispatch(_ origin: String, now: Duration) {
        if policy.hasOverallLimit {
            dispatchAll(now: now)
        } else {
            dispatch([origin], now: now)
        }
        removeIfIdle(origin, now: now)
    }

    /// Admits the waiting loads that may be sent, of all hosts.
    mutating func dispatchAll(now: Duration) {
        dispatch(waitingOrigins, now: now)
    }

    /// The time at which ``tick(now:)`` must be called; `nil` if time alone changes nothing.
    mutating func nextDeadline() -> Duration? {
        if deadlines.count > 2 * (waiters.count + hosts.count) + 64 { deadlines.keep(isCurrent) }
        while let deadline = deadlines.first, !isCurrent(deadline.time, deadline.subject) { deadlines.removeFirst() }
        return deadlines.first?.time
    }

    /// Handles the deadlines that have passed.
    mutating func tick(now: Duration) {
        while let deadline = deadlines.first, deadline.time <= now {
            deadlines.removeFirst()
            guard isCurrent(deadline.time, deadline.subject) else { continue }
            switch deadline.subject {
            case .load(let number):
                expire(number, now: now)
            case .host(let origin):
                hosts[origin]?.deadline = nil
                dispatch(origin, now: now)
            }
        }
    }

    /// Whether the overall limits permit another load.
    func hasRoom(now: Duration) -> Bool {
        if let limit = policy.maximumLoads, running.count >= max(limit, 1) { return false }
        guard let limit = qualityRule(now: now)?.maximumLoads else { return true }
        return running.count < max(limit, 1)
    }

    /// The lowest priority that is admitted; every priority while nothing is in flight.
    func minimumPriority(now: Duration) -> NetworkRequest.Priority {
        running.isEmpty ? .veryLow : qualityRule(now: now)?.minimumPriority ?? .veryLow
    }

    func circuitOpenError(_ origin: String, now: Duration) -> SwiftyError {
        var reason = "\(origin) failed too often; it is being probed"
        if case .open(let end) = hosts[origin]?.breaker?.position {
            reason = "\(origin) failed too often; nothing is sent to it for \(end - now)"
        }
        return SwiftyError(.circuitOpen, stage: .queue, reason: reason)
    }
}

extension AdmissionState {
    /// The next load of a host that may be sent.
    private struct Contender {
        let origin: String
        let candidate: WaitingLoads.Candidate
        let inFlight: Int
        let passedOver: Int

        /// Compares by priority, then by the host's loads in flight, then by arrival.
        func precedes(_ other: Contender) -> Bool {
            if candidate.priority != other.candidate.priority { return candidate.priority > other.candidate.priority }
            if inFlight != other.inFlight { return inFlight < other.inFlight }
            return candidate.number < other.candidate.number
        }
    }

    private mutating func dispatch(_ origins: some Collection<String>, now: Duration) {
        if isPaused { return }
        while !waiters.isEmpty, hasRoom(now: now) {
            let minimum = minimumPriority(now: now)
            let contenders = origins.compactMap { contender($0, minimum, now: now) }
            guard let chosen = Self.choose(contenders) else { return }
            for other in contenders where other.candidate.priority < chosen.candidate.priority {
                hosts[other.origin]?.passedOver += 1
            }
            admit(chosen, now: now)
        }
    }

    private static func choose(_ contenders: [Contender]) -> Contender? {
        guard let best = contenders.min(by: { $0.precedes($1) }) else { return nil }
        let waited = best.candidate.waited
        let aged = contenders.filter {
            $0.candidate.priority < best.candidate.priority
                && AgeingRule.isDue(passedOver: $0.passedOver, waited: $0.candidate.waited, overtaking: waited)
        }
        return aged.min { $0.precedes($1) } ?? best
    }

    private mutating func contender(_ origin: String, _ minimum: NetworkRequest.Priority, now: Duration) -> Contender? {
        // In place: changing the lines of a copied host would copy them.
        guard let index = hosts.index(forKey: origin), !hosts.values[index].waiting.isEmpty else { return nil }
        switch hosts.values[index].hold(policy, now: now) {
        case .untilRelease: break
        case .refused: failAll(origin, now: now)
        case .until(let time): setDeadline(origin, time)
        case .free:
            guard let candidate = hosts.values[index].waiting.next(from: minimum, now: now) else { return nil }
            return Contender(
                origin: origin,
                candidate: candidate,
                inFlight: hosts.values[index].inFlight,
                passedOver: hosts.values[index].passedOver
            )
        }
        return nil
    }

    private mutating func admit(_ chosen: Contender, now: Duration) {
        let number = chosen.candidate.number
        hosts[chosen.origin]?.waiting.take(number)
        forgetOriginIfEmpty(chosen.origin)
        _ = forget(number)
        let admission = take(chosen.origin, now: now)
        decisions.append(Decision(number: number, result: .success(admission)))
    }

    private mutating func failAll(_ origin: String, now: Duration) {
        let error = circuitOpenError(origin, now: now)
        for number in hosts[origin]?.waiting.numbers.sorted() ?? [] {
            _ = forget(number)
            decisions.append(Decision(number: number, result: .failure(error)))
        }
        hosts[origin]?.waiting = WaitingLoads()
        forgetOriginIfEmpty(origin)
    }

    private mutating func setDeadline(_ origin: String, _ time: Duration) {
        if let deadline = hosts[origin]?.deadline, deadline <= time { return }
        hosts[origin]?.deadline = time
        deadlines.insert(time, .host(origin))
    }

    private mutating func expire(_ number: Int, now: Duration) {
        guard let waiter = waiters[number], leave(number, now: now) else { return }
        var error = SwiftyError(.timedOut, stage: .queue, reason: SwiftyError.Code.timedOut.cancellationReason)
        error.timeLimit = .total
        if waiter.hasQueueTimeout, let limit = policy.queueTimeout {
            error.reason = "the load was not admitted within \(limit), \(Setting.queueTimeout.limit)"
            error.timeLimit = .queue
        }
        decisions.append(Decision(number: number, result: .failure(error)))
    }

    private func isCurrent(_ time: Duration, _ subject: DeadlineHeap.Subject) -> Bool {
        switch subject {
        case .load(let number): waiters[number] != nil
        case .host(let origin): hosts[origin]?.deadline == time
        }
    }

    private func qualityRule(now: Duration) -> AdmissionPolicy.QualityRules.Rule? {
        policy.qualityRules?.rules[quality.quality(now: now)]
    }
}
