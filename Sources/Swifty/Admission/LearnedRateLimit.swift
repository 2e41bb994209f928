// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// What a server says about its rate limit: how many requests remain, and for how long.
///
/// Source: draft-ietf-httpapi-ratelimit-headers, versions 00–06 (`RateLimit-Remaining: 5`, `RateLimit-Reset: 30`), 07
/// (`AdmissionPolicy.RateLimit: limit=10, remaining=5, reset=30`) and since 08 (`AdmissionPolicy.RateLimit: "default";r=5;t=30`). How large the quota is
/// as a whole (`RateLimit-Limit`, `RateLimit-Policy`) does not decide about the next request, so it is not read. What is
/// not a plain number of at most nine digits is ignored, and so is a limit of which one half is missing.
struct ReportedRateLimit: Equatable {
    let remaining: Int
    let reset: Duration

    /// Reads the fields of a response; `nil` if they say nothing that can be used.
    init?(_ headers: HTTPFields) {
        var remaining: Int?
        var reset: Int?
        // Nearly every response has none, so the first letter decides.
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

    /// The limit with the least left, of a field that may name several.
    private static func tightest(_ value: String) -> (Int?, Int?)? {
        guard value.utf8.count <= 1024 else { return nil }
        // Draft 07 writes one limit as three members; later drafts write one member per limit.
        if let limit = limit(value.split(separator: ","), "remaining", "reset") { return limit }
        return value.split(separator: ",")
            .compactMap { limit($0.split(separator: ";"), "r", "t") }
            .min { $0.0 < $1.0 }
    }

    private static func limit(
        _ parts: [Substring],
        _ remainingKey: String,
        _ resetKey: String
    ) -> (Int, Int)? {
        var values: [Substring: Int] = [:]
        for part in parts.prefix(32) {
            let pair = part.split(separator: "=", maxSplits: 1)
            if pair.count == 2 { values[trim(pair[0])] = number(pair[1]) }
        }
        guard let remaining = values[remainingKey[...]], let reset = values[resetKey[...]] else { return nil }
        return (remaining, reset)
    }

    private static func number(_ text: some StringProtocol) -> Int? {
        let digits = trim(Substring(text))
        guard (1...9).contains(digits.utf8.count), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return Int(digits)
    }

    private static func trim(_ text: Substring) -> Substring {
        var text = text.drop { $0 == " " || $0 == "\t" }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return text
    }
}

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
