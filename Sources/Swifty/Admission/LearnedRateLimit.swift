// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

/// A rate limit as a server reports it: the number of remaining requests, and the time until the reset.
///
/// Source: draft-ietf-httpapi-ratelimit-headers, versions 00–06 (`RateLimit-Remaining: 5`, `RateLimit-Reset: 30`), 07
/// (`RateLimit: limit=10, remaining=5, reset=30`) and since 08 (`RateLimit: "default";r=5;t=30`). The size of the whole
/// quota (`RateLimit-Limit`, `RateLimit-Policy`) does not decide about the next request and is not read. Values other
/// than plain numbers of at most nine digits are ignored, and so is a limit that lacks one of the two.
struct ReportedRateLimit: Equatable {
    let remaining: Int
    let reset: Duration

    /// Reads the fields of a response; `nil` if they report no usable limit.
    init?(_ headers: HTTPFields) {
        var remaining: Int?
        var reset: Int?
        // Nearly every response has no such field, so the first letter is checked first.
        for field in headers where field.name.canonicalName.utf8.first == UInt8(ascii: "r") {
            switch field.name.canonicalName {
            case "ratelimit-remaining": remaining = Self.number(field.value)
            case "ratelimit-reset": reset = Self.number(field.value)
            case "ratelimit":
                if let limit = Self.tightest(field.value) { (remaining, reset) = limit }
            default: break
            }
        }
        guard let remaining, let reset, reset > 0 else { return nil }
        self.remaining = remaining
        self.reset = .seconds(reset)
    }

    /// The limit with the fewest remaining requests, of a field that may report several.
    private static func tightest(_ value: String) -> (Int?, Int?)? {
        guard value.utf8.count <= 1024 else { return nil }
        // Draft 07 writes one limit as three members; later drafts write one member per limit.
        if let limit = limit(value.split(separator: ","), remainingKey: "remaining", resetKey: "reset") { return limit }
        return value.split(separator: ",")
            .compactMap { limit($0.split(separator: ";"), remainingKey: "r", resetKey: "t") }
            .min { $0.0 < $1.0 }
    }

    private static func limit(
        _ parts: [Substring],
        remainingKey: String,
        resetKey: String
    ) -> (Int, Int)? {
        var values: [Substring: Int] = [:]
        for part in parts.prefix(32) {
            let pair = part.split(separator: "=", maxSplits: 1)
            if pair.count == 2 { values[pair[0].trimmingSpacesAndTabs()] = number(pair[1]) }
        }
        guard let remaining = values[remainingKey[...]], let reset = values[resetKey[...]] else { return nil }
        return (remaining, reset)
    }

    private static func number(_ text: some StringProtocol) -> Int? {
        let digits = Substring(text).trimmingSpacesAndTabs()
        return digits.utf8.isDecimal && digits.utf8.count <= 9 ? Int(digits) : nil
    }
}

/// The remaining requests of a reported rate limit, counted down until the next report.
struct LearnedRateLimit {
    private(set) var remaining: Int
    let resetsAt: Duration
    /// Whether the reset is later than the longest wait; then loads go one at a time after the wait.
    let isTruncated: Bool
    /// The number of loads that were sent to the host before the report; see ``Admission/count``.
    var count: UInt32 = 0

    /// - Parameter unreported: The number of loads that the report may not count yet: those in flight, and those that
    ///   were sent after the one that it came with.
    init(_ report: ReportedRateLimit, unreported: Int, now: Duration, longestHold: Duration) {
        remaining = max(0, report.remaining - unreported)
        resetsAt = now + min(report.reset, longestHold)
        isTruncated = report.reset > longestHold
    }

    /// The time until which nothing may be sent; `nil` if a request may be sent now.
    func heldUntil(now: Duration) -> Duration? {
        remaining == 0 && now < resetsAt ? resetsAt : nil
    }

    /// Whether loads go one at a time, because the limit may still apply.
    func isProbing(now: Duration) -> Bool {
        isTruncated && now >= resetsAt
    }

    /// Whether the limit no longer decides anything; probing ends by itself after a quiet time.
    func isForgettable(now: Duration, after quiet: Duration) -> Bool {
        now >= (isTruncated ? resetsAt + quiet : resetsAt)
    }

    /// The limit after a report that may be older: until the reset, the lower of the two, and of equal ones the one
    /// that lasts longer. A server may have counted requests that were in flight together in any order, so from now on
    /// only the report of a request that is sent later raises the limit.
    func lowered(to report: LearnedRateLimit, now: Duration) -> LearnedRateLimit {
        guard now < resetsAt else { return report }
        let isLower = report.remaining == remaining ? report.resetsAt > resetsAt : report.remaining < remaining
        var limit = isLower ? report : self
        limit.count = report.count
        return limit
    }

    mutating func take() {
        remaining = max(0, remaining - 1)
    }
}
