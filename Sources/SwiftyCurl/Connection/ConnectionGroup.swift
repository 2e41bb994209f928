// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTransport

/// The connections of one key, and the transfers that wait for one.
final class ConnectionGroup {
    let key: ConnectionKey
    /// The host to whose connections these count. The group belongs to it, unless it is empty.
    @exclusivity(unchecked) var host: HostConnections
    private unowned let pool: ConnectionPool
    /// The idle connections that carry one transfer at a time, the last used one last.
    @exclusivity(unchecked) var idle: [Connection] = []
    /// The connections that carry several transfers and take more.
    @exclusivity(unchecked) var shared: [Connection] = []
    /// The connections that are being made.
    @exclusivity(unchecked) var pending: [PendingConnection] = []
    /// The transfers for which connections are being made, except those that demand a new one. Each takes the next free
    /// connection.
    @exclusivity(unchecked) var waiting = TransferQueue()
    /// The transfers for which no connection is being made yet.
    @exclusivity(unchecked) var queue = QueuedTransfers()
    /// The number of open connections, idle or in use.
    @exclusivity(unchecked) var connectionCount = 0
    /// The number of streams that the server has allowed on its last connection over HTTP/2; `nil` until then.
    @exclusivity(unchecked) var streamLimit: Int?
    /// The number of transfers that a new connection can carry, as far as is known: several, unless the server has
    /// chosen HTTP/1.1.
    @exclusivity(unchecked) var expectedRoom: Int

    init(key: ConnectionKey, of host: HostConnections, in pool: ConnectionPool, expectedRoom: Int) {
        self.key = key
        self.host = host
        self.pool = pool
        self.expectedRoom = expectedRoom
    }

    /// Whether nothing refers to the group any more.
    var isEmpty: Bool { connectionCount == 0 && pending.isEmpty && waiting.isEmpty && queue.isEmpty }

    /// Whether the server allows no transfer for now, on a connection that is open: another one would not help.
    var isHeldByServer: Bool { shared.contains { $0.codec.isHeldByServer } }

    /// Whether the connections that are being made have room for another transfer that waits.
    var expectsRoom: Bool { sharedPendingCount * expectedRoom > waiting.count }
    /// Whether fewer connections are being made than the transfers that wait need.
    var needsConnection: Bool { sharedPendingCount * expectedRoom < waiting.count }
    /// Whether the transfers that wait do not need one of the connections that are being made.
    var hasSparePending: Bool { (sharedPendingCount - 1) * expectedRoom >= waiting.count }

    /// The connections that are being made for the transfers that wait.
    private var sharedPendingCount: Int {
        pending.reduce(0) { $1.isExclusive ? $0 : $0 + 1 }
    }

    func remove(_ attempt: PendingConnection) {
        pending.removeAll { $0 === attempt }
    }

    func remove(_ connection: Connection) {
        if connection.codec.isShared {
            shared.removeAll { $0 === connection }
        } else if connection.idlePeriod != nil {
            idle.removeAll { $0 === connection }
        }
    }

    /// The transfers that a failed attempt ends: all that share it; else its owner, unless enough attempts remain for
    /// the others.
    func victims(of attempt: PendingConnection, isOwnLimit: Bool) -> [Transfer] {
        if attempt.isExclusive { return attempt.owner.map { [$0] } ?? [] }
        if expectedRoom > 1, !isOwnLimit { return waiting.removeAll { $0.carrier === attempt } }
        if let owner = attempt.owner, waiting.contains(owner) {
            guard needsConnection || isOwnLimit else { return [] }
            waiting.remove(owner)
            return [owner]
        }
        guard needsConnection, !isOwnLimit else { return [] }
        return waiting.popFirst().map { [$0] } ?? []
    }
}

// MARK: The next transfer

extension ConnectionGroup {
    /// The transfer that takes the next free connection: the one that has waited the longest.
    func next() -> Transfer? {
        if waiting.isEmpty, queue.isEmpty { return nil }
        guard let queued = queue.firstSharing() else { return waiting.first() }
        guard let waiting = waiting.first() else { return queued }
        return waiting.arrival < queued.arrival ? waiting : queued
    }

    /// Removes a transfer that no longer waits.
    func remove(_ transfer: Transfer) {
        waiting.remove(transfer)
        queue.remove(transfer)
    }

    /// Removes and returns the transfers for which no connection is being made any more: the newest ones, since each
    /// connection that is being made goes to the oldest one.
    func takeUnserved() -> [Transfer] {
        var unserved: [Transfer] = []
        while needsConnection, let last = waiting.last() {
            waiting.remove(last)
            unserved.append(last)
        }
        return unserved.reversed()
    }
}

// MARK: Queued transfers

extension ConnectionGroup: TransferCarrier {
    /// No connection was made.
    var facts: ConnectionFacts { ConnectionFacts() }

    func stage(of transfer: Transfer) -> SwiftyError.Stage { .queue }

    func abandon(_ transfer: Transfer, isOverdue: Bool) {
        pool.forgetQueued(transfer, in: self)
    }

    func attributeTimeout(_ failure: inout TransferFailure) {
        let count = pool.limits.countPerHost
        guard host.connectionCount >= count else { return }
        failure.reason += ": it waited for one of \(count) connections to the host, \(Setting.connectionsPerHost.limit)"
    }

    // Nothing was sent or received.
    func stopWaitingForContinue(_ transfer: Transfer) {}
    func resumeReceiving(_ transfer: Transfer) {}
    func resumeSending(_ transfer: Transfer) {}
}
