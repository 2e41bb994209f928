// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// What is left of a rate limit that a server reported, counted on until it reports again.
struct LearnedRateLimit {
    private(set) var remaining: Int
    let resetsAt: Duration
    /// Whether the server named a time that is too long to be waited for: then one at a time is tried.
    let isTruncated: Bool

    /// - Parameter inFlight: Loads that are under way and may not be counted in the report yet.
    init(_ report: ReportedRateLimit, inFlight: Int, now: Duration, longestHold: Duration) {
        remaining = max(0, report.remaining - inFlight)
        resetsAt = now + min(report.reset, longestHold)
        isTruncated = report.reset > longestHold
    }

    /// Until when nothing may be sent; `nil` if something may.
    func heldUntil(now: Duration) -> Duration? {
        remaining == 0 && now < resetsAt ? resetsAt : nil
    }

    /// Whether only one load at a time may try whether the limit still stands.
    func isProbing(now: Duration) -> Bool {
        isTruncated && now >= resetsAt
    }

    /// Whether there is nothing to remember; probing ends on its own after a quiet time.
    func isForgettable(now: Duration, after quiet: Duration) -> Bool {
        now >= (isTruncated ? resetsAt + quiet : resetsAt)
    }

    mutating func take() {
        remaining = max(0, remaining - 1)
    }
}
