// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The pause that an origin has asked for, and the caution after it.
struct HostBackoff {
    private(set) var until: Duration = .zero
    /// Whether loads go one at a time until one succeeds.
    private(set) var isSerial = false

    /// The origin asks for a pause.
    mutating func hold(for pause: Duration, now: Duration) {
        until = max(until, now + pause)
        isSerial = true
    }

    /// A load that was sent at the given time has succeeded. What was sent before the pause says nothing about it.
    mutating func succeed(sentAt: Duration) {
        if sentAt >= until { isSerial = false }
    }

    /// Whether there is nothing to remember; the caution ends on its own after a quiet time.
    func isForgettable(now: Duration, after quiet: Duration) -> Bool {
        now >= until && (!isSerial || now >= until + quiet)
    }
}
