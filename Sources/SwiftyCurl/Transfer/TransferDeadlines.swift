// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTransport

/// The two limits that libcurl cannot keep with milliseconds: the wait for the first byte, and silence.
///
/// Times are monotonic nanoseconds. Activity only moves a number; nothing is armed or disarmed for it.
struct TransferDeadlines {
    /// What took too long.
    enum Overdue: Equatable {
        case firstByte(Duration)
        case idle(Duration)
    }

    private let firstByte: Duration?
    private let idle: Duration?
    private var ready: Int64?
    private var hasFirstByte = false
    private var lastActivity: Int64 = 0

    init(_ timeouts: Timeouts) {
        firstByte = timeouts.firstByte
        idle = timeouts.idle
    }

    /// Whether there is any limit to keep.
    var isLimited: Bool { firstByte != nil || idle != nil }

    /// The connection is ready for the request.
    mutating func connectionIsReady(at now: Int64) {
        ready = now
        hasFirstByte = false
        lastActivity = now
    }

    /// Part of the response arrived.
    mutating func received(at now: Int64) {
        hasFirstByte = true
        lastActivity = now
    }

    /// Part of the request was sent.
    mutating func sent(at now: Int64) {
        lastActivity = now
    }

    /// When the next limit is reached if nothing happens until then; nil if none applies now.
    var next: Int64? {
        guard let ready else { return nil }
        let silence = idle.map { lastActivity.advanced(by: $0) }
        guard !hasFirstByte, let firstByte else { return silence }
        let answer = ready.advanced(by: firstByte)
        return silence.map { min($0, answer) } ?? answer
    }

    /// Which limit was reached.
    func overdue(at now: Int64) -> Overdue? {
        guard let ready else { return nil }
        if let firstByte, !hasFirstByte, ready.advanced(by: firstByte) <= now { return .firstByte(firstByte) }
        if let idle, lastActivity.advanced(by: idle) <= now { return .idle(idle) }
        return nil
    }
}

extension Int64 {
    /// A point in time after this one; the end of time if that is too far.
    func advanced(by duration: Duration) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(duration.nanoseconds)
        return overflow ? .max : sum
    }
}

extension Duration {
    /// Whole nanoseconds, from zero to some 285 years: what fits.
    var nanoseconds: Int64 {
        let (seconds, attoseconds) = min(max(self, .zero), .seconds(9_000_000_000)).components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }

    /// Whole milliseconds, rounded up, at least 1: libcurl takes 0 for its default.
    var millisecondsForCurl: Int {
        let milliseconds = nanoseconds / 1_000_000 + (nanoseconds % 1_000_000 > 0 ? 1 : 0)
        return Int(clamping: Swift.min(Swift.max(milliseconds, 1), Int64(Int32.max)))
    }
}
