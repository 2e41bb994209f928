// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The moment at which a call must be over, on the clock of its `Swifty`.
struct Deadline: Sendable {
    /// On the clock's own scale; see ``LoadClock/now``.
    let time: Duration
    private let clock: LoadClock

    /// The deadline of a load that started at a time; `nil` if its time is not limited.
    init?(of draft: RequestDraft, startedAt start: Duration, _ timeouts: Timeouts, _ clock: LoadClock) {
        guard let total = draft.timeouts.total ?? timeouts.total else { return nil }
        time = start + total
        self.clock = clock
    }

    /// The time that is left; zero or less when the deadline is reached.
    var remaining: Duration { time - clock.now() }

    /// The time that is left, for a transport, which needs some.
    var timeLimit: Duration { max(remaining, .milliseconds(1)) }

    /// Calls a closure at the deadline, unless the returned timer is cancelled.
    func whenReached(_ body: @escaping @Sendable () -> Void) -> LoadClock.Timer {
        clock.timer(at: time, ring: body)
    }
}
