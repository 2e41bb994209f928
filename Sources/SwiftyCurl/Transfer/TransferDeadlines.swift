// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTransport

/// The limits of one transfer, by a clock of its own.
///
/// libcurl's limits do not reach a transfer that waits for the connection which another one is making.
///
/// Times are monotonic nanoseconds. Activity only moves a number; nothing is armed or disarmed for it.
struct TransferDeadlines {
    /// Which limit was reached.
    enum Overdue: Equatable {
        case total(Duration)
        case connect(Duration)
        case firstByte(Duration)
        case idle(Duration)
    }

    private let timeouts: NetworkRequest.Timeouts
    /// When the transfer was given to the transport.
    private let start: Int64
    /// When the connection began to be made, or to be waited for.
    private var connectStart: Int64
    /// When the connection was ready; `nil` until it is.
    private var ready: Int64?
    private var hasFirstByte = false
    private var lastActivity: Int64 = 0

    init(_ timeouts: NetworkRequest.Timeouts, start: Int64) {
        self.timeouts = timeouts
        self.start = start
        connectStart = start
    }

    /// The transfer is started again and needs another connection. What is left of the total time goes on.
    mutating func restart(at now: Int64) {
        ready = nil
        connectStart = now
    }

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

    /// When the next limit is reached if nothing happens until then; `.max` if none applies now.
    var next: Int64 {
        min(Self.end(start, timeouts.total), nextOfPhase)
    }

    private var nextOfPhase: Int64 {
        guard ready != nil else { return Self.end(connectStart, timeouts.connect) }
        return min(firstByteEnd, Self.end(lastActivity, timeouts.idle))
    }

    private var firstByteEnd: Int64 {
        guard let ready, !hasFirstByte else { return .max }
        return Self.end(ready, timeouts.firstByte)
    }

    /// Which limit was reached.
    func overdue(at now: Int64) -> Overdue? {
        if let total = timeouts.total, Self.end(start, total) <= now { return .total(total) }
        guard ready != nil else {
            guard let connect = timeouts.connect, Self.end(connectStart, connect) <= now else { return nil }
            return .connect(connect)
        }
        if let firstByte = timeouts.firstByte, firstByteEnd <= now { return .firstByte(firstByte) }
        if let idle = timeouts.idle, Self.end(lastActivity, idle) <= now { return .idle(idle) }
        return nil
    }

    /// A point in time after another; `.max` if there is no limit, or it is too far away.
    private static func end(_ start: Int64, _ limit: Duration?) -> Int64 {
        guard let limit else { return .max }
        let (sum, overflow) = start.addingReportingOverflow(limit.nanoseconds)
        return overflow ? .max : sum
    }
}

extension TransferDeadlines.Overdue {
    /// Which limit was reached, and how long it is.
    var reason: String {
        switch self {
        case .total(let limit): "the whole transfer took longer than \(limit), \(Setting.totalTimeout.limit)"
        case .connect(let limit): "no connection was ready within \(limit), \(Setting.connectTimeout.limit)"
        case .firstByte(let limit): "no response began within \(limit), \(Setting.firstByteTimeout.limit)"
        case .idle(let limit): "nothing was sent or received for \(limit), \(Setting.idleTimeout.limit)"
        }
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
