// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SimulationCore

@testable import SwiftyTransport

/// The requests that a server counts within its periods, and what it has told of them. Times are nanoseconds.
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
        let end: Int64
        var arrivals: [Int64] = []
        /// Since when the client knows of it; `nil` if it does not.
        var toldSince: Int64?
        /// The number of requests that arrived together with one that was reported: the client cannot know in which
        /// order.
        var unknown = 0
    }

    private var periods: [String: Period] = [:]

    /// Counts a request. A client that has heard of the period sends no more than there may be.
    mutating func begin(_ call: RequestCall, _ plan: SetupPlan, _ world: World) -> Report? {
        // The downloads at the end of a history are those of another client.
        guard let quota = plan.quota, !call.isCancelled, call.load >= 0 else { return nil }
        let origin = call.request.target.origin
        let isOver = periods[origin].map { $0.end <= world.now } ?? true
        var period = isOver ? Period(end: world.now + (quota.period * 1_000).milliseconds) : periods[origin]
        guard let current = period else { return nil }
        let isTold = current.toldSince.map { $0 < world.now } ?? false
        // Without a limit, loads are not counted before a server tells of one. A hold has a limit of its own.
        let isCounted = plan.maximumLoads != nil || plan.maximumLoadsPerHost != nil
        if isTold, isCounted, plan.hostBackoff == nil, plan.lag == 0 {
            world.expect(
                current.arrivals.count < quota.requests + current.unknown,
                "no more is sent to a server than it has told to accept",
                "request \(call.number) is number \(current.arrivals.count + 1)"
            )
        }
        period?.arrivals.append(world.now)
        periods[origin] = period
        let remaining = max(0, quota.requests - current.arrivals.count - 1)
        return Report(remaining: remaining, begin: world.now, end: current.end)
    }

    /// Notes that a response has told of the period of its request.
    mutating func end(_ origin: String, _ report: Report, at now: Int64) {
        guard var period = periods[origin], period.end == report.end, now < period.end else { return }
        period.toldSince = period.toldSince ?? now
        period.unknown = max(period.unknown, period.arrivals.count { $0 == report.begin } - 1)
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
