// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTransport

/// The time limits of one transfer.
///
/// Each transfer has its own, even while it waits for a connection that was made for another one.
///
/// Times are monotonic nanoseconds. Activity only changes a number; no timer is set or cancelled.
struct TransferDeadlines {
    /// The limit that was reached.
    enum Overdue: Equatable {
        case total(Duration)
        case connect(Duration)
        case firstByte(Duration)
        case idle(Duration)
    }

    /// The limits in nanoseconds; `.max` for none.
    private struct Limits {
        let total: Int64
        let connect: Int64
        let firstByte: Int64
        let idle: Int64

        init(_ timeouts: NetworkRequest.Timeouts) {
            total = timeouts.total?.nanoseconds ?? .max
            connect = timeouts.connect?.nanoseconds ?? .max
            firstByte = timeouts.firstByte?.nanoseconds ?? .max
            idle = timeouts.idle?.nanoseconds ?? .max
        }
    }

    private let limits: Limits
    /// The time at which the transfer was given to the transport.
    private let start: Int64
    /// The time at which the transfer began to make a connection, or to wait for one.
    private let connectStart: Int64
    /// The time at which the connection was ready; `nil` until then.
    private var ready: Int64?
    private var hasFirstByte = false
    private var lastActivity: Int64 = 0
    /// Whether the transfer waits for the reader of the response, and not for the server.
    private var awaitsReader = false
    /// Whether the transfer waits for the source of the request's content, and not for the server.
    private var awaitsSource = false
}

extension TransferDeadlines {
    init(_ timeouts: NetworkRequest.Timeouts, start: Int64) {
        self.init(limits: Limits(timeouts), start: start, connectStart: start)
    }

    /// The limits of another attempt, which needs another connection. The total limit keeps running.
    func restarted(at now: Int64) -> TransferDeadlines {
        TransferDeadlines(limits: limits, start: start, connectStart: now)
    }

    mutating func connectionIsReady(at now: Int64) {
        ready = now
        hasFirstByte = false
        lastActivity = now
    }

    /// Records that part of the response arrived.
    mutating func received(at now: Int64) {
        hasFirstByte = true
        lastActivity = now
    }

    /// Begins to wait for the reader of the response: silence has no limit meanwhile.
    mutating func awaitReader() {
        awaitsReader = true
    }

    /// Ends the wait for the reader.
    mutating func readerIsReady(at now: Int64) {
        awaitsReader = false
        lastActivity = now
    }

    /// Begins to wait for the source of the content: neither silence nor the first byte has a limit meanwhile.
    mutating func awaitSource() {
        awaitsSource = true
    }

    /// Ends the wait for the source.
    mutating func sourceIsReady(at now: Int64) {
        guard awaitsSource else { return }
        awaitsSource = false
        lastActivity = now
        if ready != nil { ready = now }
    }

    /// Records that part of the request was sent.
    mutating func sent(at now: Int64) {
        lastActivity = now
    }

    /// The time at which the next limit is reached without further activity; `.max` if none applies.
    var next: Int64 {
        min(Self.end(start, limits.total), nextOfPhase)
    }

    private var nextOfPhase: Int64 {
        guard ready != nil else { return Self.end(connectStart, limits.connect) }
        return min(firstByteEnd, idleEnd)
    }

    private var firstByteEnd: Int64 {
        guard let ready, !hasFirstByte, !awaitsSource else { return .max }
        return Self.end(ready, limits.firstByte)
    }

    private var idleEnd: Int64 {
        awaitsReader || awaitsSource ? .max : Self.end(lastActivity, limits.idle)
    }

    /// The limit that was reached, if any.
    func overdue(at now: Int64) -> Overdue? {
        // No limit ends at `.max`.
        let now = min(now, .max - 1)
        if Self.end(start, limits.total) <= now { return .total(.nanoseconds(limits.total)) }
        guard ready != nil else {
            return Self.end(connectStart, limits.connect) <= now ? .connect(.nanoseconds(limits.connect)) : nil
        }
        if firstByteEnd <= now { return .firstByte(.nanoseconds(limits.firstByte)) }
        return idleEnd <= now ? .idle(.nanoseconds(limits.idle)) : nil
    }

    /// The end of a limit; `.max` without a limit, and for a time too far away.
    private static func end(_ start: Int64, _ limit: Int64) -> Int64 {
        let (sum, overflow) = start.addingReportingOverflow(limit)
        return overflow ? .max : sum
    }
}

extension TransferDeadlines.Overdue {
    var timeLimit: SwiftyError.TimeLimit {
        switch self {
        case .total: .total
        case .connect: .connect
        case .firstByte: .firstByte
        case .idle: .idle
        }
    }

    /// The limit that was reached, and its length.
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
    /// Whole nanoseconds, clamped to between zero and some 285 years.
    var nanoseconds: Int64 {
        // The parts of a longer duration do not fit into `components`, which would trap.
        if self >= Self.longest { return 9_000_000_000_000_000_000 }
        if self < Self.shortest { return 0 }
        let (seconds, attoseconds) = components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }

    // Made once, because every transfer compares with them.
    private static let longest = Duration.seconds(9_000_000_000)
    private static let shortest = Duration.nanoseconds(1)

    /// Whole milliseconds, rounded up, at least 1: to libcurl, 0 means its default.
    var millisecondsForCurl: Int {
        let milliseconds = nanoseconds / 1_000_000 + (nanoseconds % 1_000_000 > 0 ? 1 : 0)
        return Int(clamping: Swift.min(Swift.max(milliseconds, 1), Int64(Int32.max)))
    }
}
