// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTransport

extension EventLoop {
    /// Starts the limits for the whole transfer and for its connection.
    func watchDeadlines(of transfer: Transfer) {
        nextDeadline = min(nextDeadline, transfer.deadlines.next, transfer.continueDeadline)
    }

    /// Starts the limits for the first byte and for silence, because the connection is ready.
    func startDeadlines(of transfer: Transfer) {
        transfer.ready = now
        transfer.deadlines.connectionIsReady(at: now)
        watchDeadlines(of: transfer)
    }

    /// A connection has become idle, for a limited time.
    func watchIdleConnections() {
        nextDeadline = min(nextDeadline, pool.nextExpiry())
    }

    /// A shared connection has got its first transfer.
    func watchPeer(of connection: Connection) {
        if let interval = environment.settings.connections.pingInterval {
            nextDeadline = min(nextDeadline, now.addingReportingOverflow(interval.nanoseconds).partialValue)
        }
    }

    /// Ends the transfers that have reached a limit, sends content that has waited for long enough, and closes the
    /// connections that were idle for too long. Checks them only when the earliest limit may have been reached.
    func endOverdue() {
        guard nextDeadline <= now else { return }
        // From the end: the last transfer takes the place of one that ends.
        for index in active.indices.reversed() where index < active.count {
            let transfer = active[index]
            if transfer.continueDeadline <= now { transfer.connection?.stopWaitingForContinue(transfer) }
            guard let overdue = transfer.deadlines.overdue(at: now) else { continue }
            let reason = overdue.reason
            interrupt(transfer, with: TransferFailure(code: .timedOut, stage: .queue, sent: .notSent, reason: reason))
        }
        pool.closeExpired()
        let next = min(pool.checkPeers(), pool.nextExpiry())
        nextDeadline = active.reduce(next) { min($0, $1.deadlines.next, $1.continueDeadline) }
    }
}
