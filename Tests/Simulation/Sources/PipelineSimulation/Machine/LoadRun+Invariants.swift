// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SimulationCore

@testable import Swifty

extension LoadRun {
    /// A cancelled load ends at once; late interceptors have a second of their own.
    func checkPromptness() {
        guard let cancellation, !history.isLate, !isBatch else { return }
        let allowed = history.plan.setup.responseHook == nil ? 0 : 1_000
        // The reader of a stream may come later to its end.
        let delay = (finish?.time ?? world.now) - cancellation
        world.expect(
            delay <= allowed.milliseconds,
            "a cancelled load ends at once",
            "load \(number),\(Milliseconds(delay)) later"
        )
    }

    /// A load that a flight makes is refused only after the grace period, or when no other load is left.
    func checkAcceptance(_ outcome: Outcome) {
        guard maker != nil, !isCreated, case .failure(let error) = outcome, error.code == .shutdown else { return }
        // The last load closes the instance, so others in flight now were in flight before.
        let isLeft = (history.weakSwifty?.statistics.inFlight ?? 0) > 0 && world.now < history.shutdownEnd ?? .max
        world.expect(!isLeft, "a load in flight gets what its constraints load", "load \(number)")
    }

    func checkOutcome(_ outcome: Outcome) {
        guard case .content(let content) = outcome else { return }
        if let cancellation, !isMocked, !history.plan.setup.coalesces, !isBatch {
            // The task of a reader, or of a hedged load, may learn late that a transfer is complete.
            let isStreamed = if case .stream = plan.form { true } else { false }
            let learnsLate = history.isLate && (isStreamed || hedging != nil)
            world.expect(
                wasDoneWhenCancelled || learnsLate,
                "a cancelled load does not succeed afterwards",
                "load \(number), cancelled at\(Milliseconds(cancellation - World.start))"
            )
        }
        guard !isMocked, let begin else { return }
        history.checkContent(content, of: self, since: begin)
        // A stream has no limit.
        if case .stream = plan.form { return }
        guard let count = content?.count else { return }
        checkRate(count - (plan.rate ?? 0) / 10 - 1)
        if let limit = plan.contentLimit {
            world.expect(count <= limit, "a response is no larger than the settings allow", "load \(number): \(count)")
        }
    }

    /// - Parameter count: The number of bytes before the latest ones.
    func checkRate(_ count: Int) {
        guard let rate = plan.rate, let begin else { return }
        let allowed = Double(rate) * Double(world.now - begin) / 1e9
        world.expect(
            Double(count) <= allowed + 1,
            "content is received no faster than its rate allows",
            "load \(number): \(count) bytes"
        )
    }
}

extension LoadRun {
    /// Takes an event of the pipeline's observer.
    func observe(_ event: Swifty.Event) {
        switch event {
        case .created: isCreated = true
        case .waiting:
            isWaiting = true
            waits += 1
            world.expect(isCompound || waits <= 2, "a refused credential is replaced once", "load \(number)")
            for constraint in history.constraints { constraint.loadWaits(number) }
            world.note(.loadWaits, of: number, is: "load \(number) waits for its constraints")
        case .attemptStarted(let attempt):
            leaveConstraints()
            redirects = 0
            place = nil
            self.attempt += 1
            checkAttemptCount(attempt)
            checkAttempt(attempt)
            world.note(.attemptBegins, of: number, attempt, is: "load \(number): attempt \(attempt) begins")
        case .attemptEnded(let attempt):
            endedAttempts += 1
            if attempt.errorCode == .connectionFailed, attempt.sent == .notSent { unconnectedAttempts += 1 }
        case .queued:
            world.note(.loadQueued, of: number, is: "load \(number) waits for admission")
        case .retryScheduled(let delay):
            retries += 1
            world.note(.retryScheduled, of: number, is: "load \(number) is repeated after \(delay)")
        case .redirected(let redirect):
            redirects += 1
            world.expect(
                redirects <= history.plan.setup.maximumRedirects,
                "no more redirects are followed than the limit allows",
                "load \(number)"
            )
            world.note(.redirected, of: number, redirect.statusCode, is: "load \(number) goes to \(redirect.to)")
        case .finished(let response):
            leaveConstraints()
            finishes(response.error)
        default: break
        }
    }

    /// Beyond the attempts of the policy there is one with another credential.
    private func checkAttemptCount(_ attempt: Int) {
        let setup = history.plan.setup
        var allowed = max(plan.attempts ?? setup.retry?.attempts ?? 1, setup.attemptHook?.attempts ?? 1)
        // Those without a connection do not count for a while.
        if setup.retry?.connectionWait != nil { allowed += unconnectedAttempts }
        world.expect(
            isCompound || attempt <= allowed + (waits > 1 ? 1 : 0),
            "no more attempts are made than the policy allows",
            "load \(number), attempt \(attempt)"
        )
    }

    private func checkAttempt(_ attempt: Int) {
        guard !isCompound, attempt > 1, history.plan.setup.lag == 0 else { return }
        let isOverdue = if let begin, let limit { world.now > begin + limit.milliseconds } else { false }
        world.expect(cancellation == nil && !isOverdue, "a load that has ended makes no attempt", "load \(number)")
    }

    /// Observers learn of the end of each attempt whose request the transport got.
    private func checkAttempts() {
        // The transport gets one request for several loads that share it.
        guard !isCompound, !history.plan.setup.coalesces else { return }
        world.expect(
            endedAttempts == begunAttempts.count,
            "each attempt ends once for its observers",
            "load \(number): \(endedAttempts) of \(begunAttempts.count)"
        )
    }

    private func leaveConstraints() {
        guard isWaiting else { return }
        isWaiting = false
        for constraint in history.constraints { constraint.loadLeaves() }
    }

    private func finishes(_ error: SwiftyError?) {
        world.note(.loadFinished, of: number, is: "load \(number) finishes: \(error.map { "\($0.code)" } ?? "success")")
        world.expect(isCompound || finish == nil, "every load finishes exactly once", "load \(number)")
        finish = (world.now, error)
        place = nil
        checkAttempts()
        // A redirect or a challenge may ask for it; that error has another stage.
        if case .stream(isReplayable: false) = plan.content {
            let isSentAgain = error?.code == .contentNotReplayable && error?.stage == .building
            world.expect(!isSentAgain, "no attempt begins without its content", "load \(number)")
        }
        checkLimit()
        if let error, !isMocked { check(error) }
    }

    private func check(_ error: SwiftyError) {
        checkCause(error)
        world.expect(
            error.code != .timedOut || error.timeLimit != nil,
            "an error says which limit of time was reached",
            "load \(number), \(error.stage)"
        )
        world.expect(
            error.sent != .notSent || !(isCompound ? mustNotBeRepeated : mayBeProcessed),
            "an error says that nothing was sent only if this is so",
            "load \(number), \(error.code)"
        )
        if error.code == .constraintFailed, let failure = error.underlying as? FlightFailure {
            for constraint in history.constraints { constraint.check(failure, of: number) }
        }
    }

    /// A load ends early only for a reason of its own.
    private func checkCause(_ error: SwiftyError) {
        guard !isCompound, !isBatch, maker == nil else { return }
        if error.code == .cancelled {
            let isLeft = if case .stream = plan.form { true } else { false }
            world.expect(cancellation != nil || isLeft, "a load is cancelled only if it is told to", "load \(number)")
        }
        if error.timeLimit == .total || error.timeLimit == .deadline, let begin {
            let reached = error.timeLimit == .total ? total : plan.deadline
            let isReached = reached.map { world.now >= begin + $0.milliseconds } ?? false
            world.expect(isReached, "a limit is not reached before its time", "load \(number)")
        }
    }

    /// Whether it connects again, and has no pause of its own: a deadline ends it, even between two connections.
    private var isContinued: Bool {
        switch plan.form {
        case .events(_, _, pause: 0), .download: true
        default: false
        }
    }

    /// A load keeps its limit to the millisecond; late interceptors have a second of their own.
    private func checkLimit() {
        guard let begin, let limit = isContinued ? plan.deadline : limit, !isCompound || isContinued else { return }
        let lateness = world.now - begin - limit.milliseconds
        let allowed = 2 + (history.plan.setup.responseHook == nil || finish?.error == nil ? 0 : 1_000)
        // A stream whose transfer is complete is read whenever its reader likes.
        if case .stream = plan.form, isTransferred { return }
        guard history.plan.setup.lag == 0 else { return }
        world.expect(
            lateness <= allowed.milliseconds,
            "a load ends within its limits",
            "load \(number),\(Milliseconds(lateness)) late"
        )
    }
}
