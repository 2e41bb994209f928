// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import SwiftyTransport

/// A connection that is being made, and the transfer for which it was started.
final class PendingConnection: TransferCarrier {
    let connector: any Connector
    /// The number of the attempt among those of the loop.
    let number: Int
    /// The group that the connection will belong to.
    let group: ConnectionGroup
    /// Whether the connection is for the owner alone.
    let isExclusive: Bool
    /// The transfer for which the connection was started; `nil` after the end.
    private(set) var owner: Transfer?
    /// Whether the connection was made, or has failed.
    private(set) var isFinished = false
    private unowned let pool: ConnectionPool

    init(
        _ connector: any Connector,
        number: Int,
        for transfer: Transfer,
        in group: ConnectionGroup,
        of pool: ConnectionPool
    ) {
        self.connector = connector
        self.number = number
        self.group = group
        self.pool = pool
        owner = transfer
        isExclusive = transfer.requiresNewConnection
    }

    var facts: ConnectionFacts { connector.facts }

    func stage(of transfer: Transfer) -> SwiftyError.Stage { connector.stage }

    func abandon(_ transfer: Transfer, isOverdue: Bool) {
        pool.forget(transfer, waitingFor: self)
    }

    // Nothing was sent or received.
    func stopWaitingForContinue(_ transfer: Transfer) {}
    func resumeReceiving(_ transfer: Transfer) {}
    func resumeSending(_ transfer: Transfer) {}

    func attributeTimeout(_ failure: inout TransferFailure) {
        connector.attributeTimeout(&failure)
    }

    /// Ends the attempt.
    func cancel() {
        finish()
        connector.cancel()
    }

    /// The attempt has ended.
    func finish() {
        isFinished = true
        owner = nil
    }

    /// The limit that the owner has reached, if any. The time of the turn may be older than the one at which libcurl
    /// has ended the attempt.
    var overdue: TransferDeadlines.Overdue? { owner?.deadlines.overdue(at: ccurl_now()) }
}
