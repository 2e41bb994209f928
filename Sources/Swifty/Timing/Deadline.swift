// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The time at which a call, or one attempt of it, must have ended, on the clock of its `Swifty`.
struct Deadline: Sendable {
    /// The work that is limited.
    enum Scope: Sendable {
        case call
        case attempt
        /// The load, by its caller's task.
        case caller
        /// A hook that runs although its load has ended.
        case lateHook
    }

    /// On the clock's own scale; see ``LoadClock/now``.
    let time: Duration
    private let limit: Duration
    private let scope: Scope
    private let clock: LoadClock
}

extension Deadline {
    /// Makes the deadline of work that begins now; `nil` without a limit.
    init?(_ scope: Scope, after limit: Duration?, _ clock: LoadClock) {
        guard let limit else { return nil }
        self.init(time: clock.now() + limit, limit: limit, scope: scope, clock: clock)
    }

    /// The deadline of the current task's caller; `nil` without one.
    static func ofCaller(_ clock: LoadClock) -> Deadline? {
        guard let caller = CallerDeadline.current else { return nil }
        return Deadline(time: clock.now() + caller.remaining, limit: caller.limit, scope: .caller, clock: clock)
    }

    /// The time that is left; zero or less when the deadline is reached.
    var remaining: Duration { time - clock.now() }

    /// The time in which a request may still be sent, so that some is left before the caller's deadline.
    func remaining(keeping rest: Duration) -> Duration { scope == .caller ? remaining - rest : remaining }

    var isReached: Bool { remaining <= .zero }

    /// The time limit for a transport: the time that is left, at least 1 ms.
    var timeLimit: Duration { max(remaining, .milliseconds(1)) }

    /// The error of the work that must end now.
    func error(at stage: SwiftyError.Stage, sent: SwiftyError.SentState = .notSent) -> SwiftyError {
        SwiftyError(.timedOut, stage: stage, sent: sent).reaching(self)
    }

    /// The limit in errors; `nil` if the limit is not the load's.
    fileprivate var reachedLimit: SwiftyError.TimeLimit? {
        switch scope {
        case .call: .total
        case .attempt: .attempt
        case .caller: .deadline
        case .lateHook: nil
        }
    }

    /// The limit that was reached, its length and its setting.
    fileprivate var reachedReason: String {
        switch scope {
        case .call: "the whole call took longer than \(limit), \(Setting.totalTimeout.limit)"
        case .attempt: "the attempt took longer than \(limit), \(Setting.attemptTimeout.limit)"
        case .caller: "the load has not ended within \(limit), \(Setting.deadline.limit)"
        case .lateHook: "a hook took longer than \(limit) after the end of its load"
        }
    }

    func later(by wait: Duration) -> Deadline {
        Deadline(time: time + wait, limit: limit, scope: scope, clock: clock)
    }

    /// Calls a closure at the deadline, unless the returned timer is cancelled.
    func whenReached(_ body: @escaping @Sendable () -> Void) -> LoadClock.Timer {
        clock.timer(at: time, ring: body)
    }

    static func earlier(_ one: Deadline?, _ other: Deadline?) -> Deadline? {
        guard let one, let other else { return one ?? other }
        return one.time <= other.time ? one : other
    }
}

extension SwiftyError {
    /// This error with a deadline as its cause.
    func reaching(_ deadline: Deadline) -> SwiftyError {
        var error = self
        error.reason = deadline.reachedReason
        error.timeLimit = deadline.reachedLimit
        return error
    }
}
