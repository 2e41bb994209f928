// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTransport

extension EventLoop {
    func start(_ transfer: Transfer) {
        // The transfer was cancelled before the loop took it.
        if let failure = transfer.earlyFailure { return finish(transfer, TransferOutcome(failure: failure)) }
        transfer.started = now
        transfer.place = .active(index: active.count)
        active.append(transfer)
        watchDeadlines(of: transfer)
        pool.serve(transfer)
    }

    /// The response is complete.
    func complete(_ transfer: Transfer, on connection: Connection) {
        transfer.report?.reportEnd()
        end(transfer, TransferOutcome(facts: connection.facts, ended: now))
    }

    /// Ends a transfer whose connection could not be made, or has failed.
    func fail(_ transfer: Transfer, _ failure: TransferFailure, on facts: ConnectionFacts = ConnectionFacts()) {
        var failure = failure
        // An earlier attempt may have reached the server.
        if failure.sent == .notSent, transfer.mayHaveBeenSent { failure.sent = .maybeSent }
        end(transfer, TransferOutcome(failure: failure, facts: facts, ended: now))
    }

    /// Ends a transfer, wherever it is. Its connection is closed.
    func interrupt(_ transfer: Transfer, with failure: TransferFailure) {
        var failure = failure
        failure.stage = stage(of: transfer)
        if failure.code == .timedOut { transfer.connector?.attributeTimeout(&failure) }
        let facts = transfer.connection?.facts ?? transfer.connector?.facts ?? ConnectionFacts()
        if let connection = transfer.connection { connection.abandon(transfer) } else { pool.forget(transfer) }
        failure.sent = transfer.progress.sent
        fail(transfer, failure, on: facts)
    }

    private func stage(of transfer: Transfer) -> SwiftyError.Stage {
        transfer.connection?.stage(of: transfer) ?? transfer.connector?.stage ?? .queue
    }

    private func end(_ transfer: Transfer, _ outcome: TransferOutcome) {
        guard case .active(let index) = transfer.place else { return }
        let last = active.removeLast()
        if index < active.count {
            active[index] = last
            last.place = .active(index: index)
        }
        finish(transfer, outcome)
    }

    private func finish(_ transfer: Transfer, _ outcome: TransferOutcome) {
        transfer.end(outcome)
        finished.append(transfer)
    }

    /// Ends a transfer on behalf of another thread.
    func cancel(_ transfer: Transfer, with failure: TransferFailure) {
        switch transfer.place {
        case .ended: break
        case .waiting: transfer.earlyFailure = failure
        case .active: interrupt(transfer, with: failure)
        }
    }

    /// Ends all transfers and closes all connections.
    func endAll(with failure: TransferFailure) {
        for transfer in active { interrupt(transfer, with: failure) }
        pool.closeAll()
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
        transfer.restart(at: now)
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
        transfer.restart(at: now)
        watchDeadlines(of: transfer)
        pool.serve(transfer)
    }
}

extension TransferFailure {
    static let outOfMemory = TransferFailure(
        code: .transportFailed,
        stage: .queue,
        sent: .notSent,
        reason: "the transport could not continue: out of memory"
    )

    static let noHandle = TransferFailure(
        code: .transportFailed,
        stage: .queue,
        sent: .notSent,
        reason: "libcurl could not be set up: out of memory, or a version that lacks an option"
    )
}
