// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import SwiftyTransport

// The transfers on connections of the pool: their start, their end, and their repetition.

extension EventLoop {
    func startOnWire(_ transfer: Transfer) {
        transfer.started = now
        transfer.place = .onWire(index: exchanges.count)
        exchanges.append(transfer)
        watchDeadlines(of: transfer)
        pool.serve(transfer)
    }

    /// The response is complete.
    func complete(_ transfer: Transfer, on connection: Connection) {
        transfer.report?.reportEnd()
        end(transfer, TransferOutcome(measurements: measurements(of: transfer, on: connection.facts)))
    }

    /// Ends a transfer whose connection could not be made, or has failed.
    func fail(_ transfer: Transfer, _ failure: TransferFailure, on facts: Connection.Facts = Connection.Facts()) {
        var failure = failure
        // An earlier attempt may have reached the server.
        if failure.sent == .notSent, transfer.mayHaveBeenSent { failure.sent = .maybeSent }
        end(transfer, TransferOutcome(failure: failure, measurements: measurements(of: transfer, on: facts)))
    }

    /// Ends a transfer, wherever it is. Its connection is closed.
    func interrupt(_ transfer: Transfer, with failure: TransferFailure) {
        var failure = failure
        failure.stage = stage(of: transfer)
        if failure.code == .timedOut { transfer.connector?.attributeTimeout(&failure) }
        let facts = transfer.connection?.facts ?? transfer.connector?.facts ?? Connection.Facts()
        if let connection = transfer.connection { connection.abandon(transfer) } else { pool.forget(transfer) }
        failure.sent = transfer.progress.sent
        fail(transfer, failure, on: facts)
    }

    private func stage(of transfer: Transfer) -> SwiftyError.Stage {
        transfer.connection?.stage(of: transfer) ?? transfer.connector?.stage ?? .queue
    }

    private func end(_ transfer: Transfer, _ outcome: TransferOutcome) {
        guard case .onWire(let index) = transfer.place else { return }
        let last = exchanges.removeLast()
        if index < exchanges.count {
            exchanges[index] = last
            last.place = .onWire(index: index)
        }
        transfer.end(outcome)
        finished.append(transfer)
    }

    private func measurements(of transfer: Transfer, on facts: Connection.Facts) -> TransferMeasurements {
        var result = TransferMeasurements()
        result.timings = facts.timings
        result.timings.ready = Self.microseconds(from: transfer.started, to: transfer.ready)
        result.timings.firstByte = Self.microseconds(from: transfer.started, to: transfer.firstByte)
        result.timings.total = Self.microseconds(from: transfer.started, to: now)
        result.isConnectionReused = transfer.isConnectionReused
        result.requestHeaderBytes = Int64(transfer.progress.requestHeadByteCount)
        result.requestBodyBytes = Int64(transfer.progress.requestContentByteCount)
        result.remoteAddress = facts.remoteAddress
        result.remotePort = facts.remotePort
        result.certificates = facts.certificates
        if !transfer.isConnectionReused { result.proxyStatusCode = facts.proxyStatusCode }
        result.started = transfer.started
        result.ended = now
        return result
    }

    /// The time between two moments, at least one microsecond; zero if the later one has not come.
    private static func microseconds(from start: Int64, to end: Int64) -> Int64 {
        end == 0 ? 0 : max(1, (end &- start) / 1000)
    }
}

// MARK: Repetition

extension EventLoop {
    /// Repeats a request whose kept connection ended before a byte of the response, if that is safe: once, on a new
    /// connection. Returns whether it does.
    func repeatOnNewConnection(_ transfer: Transfer) -> Bool {
        guard transfer.isConnectionReused, !transfer.isRepeated,
            transfer.progress.sent == .notSent || transfer.request.isIdempotent
        else { return false }
        transfer.isRepeated = true
        transfer.mayHaveBeenSent = transfer.progress.sent != .notSent
        restart(transfer)
        return true
    }

    /// Repeats a request that the server has not processed, with any method (RFC 9113 §8.7).
    func repeatUnprocessed(_ transfer: Transfer) {
        transfer.unprocessedCount += 1
        transfer.connection = nil
        guard transfer.unprocessedCount <= Self.unprocessedLimit else {
            let reason = "the server has refused the request \(transfer.unprocessedCount) times without processing it"
            let failure = TransferFailure(code: .connectionLost, stage: .firstByte, sent: .notSent, reason: reason)
            return fail(transfer, failure)
        }
        let requiresNewConnection = transfer.requiresNewConnection
        transfer.restartOnWire(at: now)
        transfer.requiresNewConnection = requiresNewConnection
        watchDeadlines(of: transfer)
        pool.serve(transfer)
    }

    /// The number of times that a request is repeated because the server has not processed it: the same as libcurl's.
    private static let unprocessedLimit = 5

    /// Repeats a request without the expectation that the server does not support (RFC 9110 §15.5.18). Its content was
    /// not sent.
    func repeatWithoutExpectation(_ transfer: Transfer) {
        transfer.removeExpectation(environment)
        restart(transfer)
    }

    private func restart(_ transfer: Transfer) {
        transfer.restartOnWire(at: now)
        watchDeadlines(of: transfer)
        pool.serve(transfer)
    }
}

// MARK: Deadlines

extension EventLoop {
    /// Ends the transfers that have reached a limit, and sends content that has waited for long enough.
    func endOverdueOnWire() {
        // From the end: the last transfer takes the place of one that ends.
        for index in exchanges.indices.reversed() {
            guard index < exchanges.count else { continue }
            let transfer = exchanges[index]
            if transfer.continueDeadline <= now { transfer.connection?.stopWaitingForContinue(transfer) }
            guard let overdue = transfer.deadlines.overdue(at: now) else { continue }
            let reason = overdue.reason
            interrupt(transfer, with: TransferFailure(code: .timedOut, stage: .queue, sent: .notSent, reason: reason))
        }
        pool.closeExpired()
    }

    /// A lower bound of the next deadline of a transfer or an idle connection.
    var nextDeadlineOnWire: Int64 {
        exchanges.reduce(pool.nextExpiry()) { min($0, $1.deadlines.next, $1.continueDeadline) }
    }

    /// A connection has become idle, for a limited time.
    func watchIdleConnections() {
        nextDeadline = min(nextDeadline, pool.nextExpiry())
    }
}
