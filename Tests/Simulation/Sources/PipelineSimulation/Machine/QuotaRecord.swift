// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SimulationCore

/// The requests that each server accepts within a period, of which it tells.
struct ServerQuota: Sendable {
    var requests: Int
    /// In seconds.
    var period: Int
}

/// The requests that servers count within their periods, and what they have told of them. Times are nanoseconds.
struct QuotaRecord {
    /// What a server says about a request, as soon as it responds.
    struct Report {
        let remaining: Int
        /// When the server counted the request.
        let begin: Int64
        /// The end of the period.
        let end: Int64
    }

    private struct Period {
        let begin: Int64
        let end: Int64
        var arrivals: [Int64] = []
        /// Since when the client knows of it; `nil` if it does not.
        var toldSince: Int64?
        /// The number of requests that arrived together with one that was reported: the client cannot know in which
        /// order.
        var unknown = 0
        /// Whether a request of it was sent before it, for which a client cannot tell the periods apart.
        var isUncertain = false
    }

    /// Whether the requests of one instant arrive in the order in which they are counted here.
    let isOrdered: Bool
    private var periods: [String: Period] = [:]

    init(isOrdered: Bool) {
        self.isOrdered = isOrdered
    }

    /// Counts a request that arrives. A client that has heard of the period sends no more than there may be.
    ///
    /// - Parameter sent: When it was sent; `nil` if that was after all that has happened so far.
    /// - Returns: What the server says about it, and its number within the period if it is one too many.
    mutating func begin(
        _ origin: String,
        _ quota: ServerQuota,
        sent: Int64?,
        at now: Int64
    ) -> (report: Report, excess: Int?) {
        let known = periods[origin].flatMap { $0.end > now ? $0 : nil }
        var period = known ?? Period(begin: now, end: now + (quota.period * 1_000).milliseconds)
        if let sent, sent < period.begin { period.isUncertain = true }
        let isTold = period.toldSince.map { $0 < sent ?? .max } ?? false
        let isExcess = isTold && !period.isUncertain && period.arrivals.count >= quota.requests + period.unknown
        period.arrivals.append(now)
        periods[origin] = period
        let remaining = max(0, quota.requests - period.arrivals.count)
        let report = Report(remaining: remaining, begin: now, end: period.end)
        return (report, isExcess ? period.arrivals.count : nil)
    }

    /// Notes that a response has told of the period of its request.
    mutating func end(_ origin: String, _ report: Report, at now: Int64) {
        guard var period = periods[origin], period.end == report.end, now < period.end else { return }
        period.toldSince = period.toldSince ?? now
        let together = period.arrivals.count { $0 == report.begin } - 1
        if !isOrdered { period.unknown = max(period.unknown, together) }
        periods[origin] = period
    }
}

extension QuotaRecord.Report {
    /// The field of a response; `nil` after the end of the period.
    func field(at now: Int64) -> String? {
        let seconds = (end - now + 999_999_999) / 1_000_000_000
        return seconds > 0 ? "\"default\";r=\(remaining);t=\(seconds)" : nil
    }
}
