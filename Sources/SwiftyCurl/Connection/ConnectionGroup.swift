// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTransport

/// The connections of one key, and the transfers that wait for one.
///
/// A transfer that waits is either in the queue, whose carrier is the group itself, or waits for one of the connections
/// that are being made, which are its carriers. Only the functions of this file change these lists.
final class ConnectionGroup {
    let key: ConnectionKey
    /// The host to whose connections these count, set by ``ConnectionDirectory``. The group belongs to it, unless it is
    /// empty.
    @exclusivity(unchecked) var host: HostConnections
    private unowned let pool: ConnectionPool
    /// The idle connections that carry one transfer at a time, the last used one last.
    @exclusivity(unchecked) private(set) var idle: [Connection] = []
    /// The connections that carry several transfers and take more.
    @exclusivity(unchecked) private(set) var shared: [Connection] = []
    @exclusivity(unchecked) private(set) var pending: [PendingConnection] = []
    /// The number of those that are being made for all transfers that wait. Each end of one asks for it.
    @exclusivity(unchecked) private var sharedPendingCount = 0
    /// The number of open connections, idle or in use.
    @exclusivity(unchecked) private(set) var connectionCount = 0
    /// The transfers for which connections are being made, except those that demand a new one. Each takes the next free
    /// connection.
    @exclusivity(unchecked) private(set) var waiting = TransferQueue()
    /// The transfers for which no connection is being made yet.
    @exclusivity(unchecked) private(set) var queue = QueuedTransfers()
    @exclusivity(unchecked) var room: ExpectedRoom
    @exclusivity(unchecked) private var turnover = Turnover()

    init(key: ConnectionKey, of host: HostConnections, in pool: ConnectionPool, maximumRoom: Int) {
        self.key = key
        self.host = host
        self.pool = pool
        room = ExpectedRoom(maximumRoom)
    }

    /// Whether nothing refers to the group any more.
    var isEmpty: Bool { connectionCount == 0 && pending.isEmpty && waiting.isEmpty && queue.isEmpty }

    /// The connections, and the transfers that wait for one.
    var statistics: ConnectionStatistics.Host {
        var statistics = ConnectionStatistics.Host()
        statistics.idle = idle.count + shared.count { $0.idlePeriod != nil }
        statistics.active = connectionCount - statistics.idle
        statistics.connecting = pending.count
        statistics.waiting = waiting.count + queue.count
        return statistics
    }

    /// Whether the server allows no transfer for now, on a connection that is open: another one would not help.
    var isHeldByServer: Bool { shared.contains { $0.codec.isHeldByServer } }

    /// Whether the connections that are being made have room for another transfer that waits.
    var expectsRoom: Bool { sharedPendingCount * room.count > waiting.count }
    /// Whether fewer connections are being made than the transfers that wait need.
    var needsConnection: Bool { sharedPendingCount * room.count < waiting.count }
    /// Whether the transfers that wait do not need one of the connections that are being made.
    var hasSparePending: Bool { (sharedPendingCount - 1) * room.count >= waiting.count }
}

// MARK: Connections

extension ConnectionGroup {
    func add(_ attempt: PendingConnection) {
        pending.append(attempt)
        if !attempt.isExclusive { sharedPendingCount += 1 }
    }

    func remove(_ attempt: PendingConnection) {
        guard let index = pending.firstIndex(where: { $0 === attempt }) else { return }
        pending.remove(at: index)
        if !attempt.isExclusive { sharedPendingCount -= 1 }
    }

    func noteOpening() {
        connectionCount += 1
    }

    /// Forgets a connection that was closed.
    func forget(_ connection: Connection) {
        connectionCount -= 1
        withdraw(connection)
    }

    /// Offers a connection to several transfers.
    func share(_ connection: Connection) {
        shared.append(connection)
    }

    /// Offers a connection that carries one transfer at a time, and is idle.
    func keep(_ connection: Connection) {
        idle.append(connection)
    }

    /// Takes the idle connection that was used last.
    func takeLastIdle() {
        idle.removeLast()
    }

    /// Offers a connection to no further transfer.
    func withdraw(_ connection: Connection) {
        if connection.codec.isShared {
            shared.removeAll { $0 === connection }
        } else if connection.idlePeriod != nil {
            idle.removeAll { $0 === connection }
        }
    }
}

// MARK: Transfers

extension ConnectionGroup {
    /// Has a transfer wait until a connection may be made for it.
    func enqueue(_ transfer: Transfer) {
        transfer.attach(to: self)
        queue.add(transfer)
    }

    /// Has a transfer wait for a connection that is being made.
    func enlist(_ transfer: Transfer, for attempt: PendingConnection) {
        transfer.attach(to: attempt)
        if !attempt.isExclusive { waiting.add(transfer) }
    }

    /// Removes a transfer that no longer waits.
    func release(_ transfer: Transfer) {
        transfer.detach()
        waiting.remove(transfer)
        queue.remove(transfer)
    }

    /// Queues again the transfers for which no connection is being made any more: the newest ones, since each
    /// connection that is being made goes to the oldest one.
    func requeueUnserved() {
        var unserved: [Transfer] = []
        while needsConnection, let last = waiting.last() {
            waiting.remove(last)
            last.attach(to: self)
            unserved.append(last)
        }
        queue.add(unserved)
    }

    /// Releases and returns the transfers that a failed attempt ends: all that share it; else its owner, unless enough
    /// attempts remain for the others.
    func releaseVictims(of attempt: PendingConnection, isOwnLimit: Bool) -> [Transfer] {
        let victims = victims(of: attempt, isOwnLimit: isOwnLimit)
        for victim in victims { release(victim) }
        return victims
    }

    private func victims(of attempt: PendingConnection, isOwnLimit: Bool) -> [Transfer] {
        if attempt.isExclusive { return attempt.owner.map { [$0] } ?? [] }
        if room.count > 1, !isOwnLimit { return waiting.all.filter { $0.carrier === attempt } }
        if let owner = attempt.owner, waiting.contains(owner) { return needsConnection || isOwnLimit ? [owner] : [] }
        guard needsConnection, !isOwnLimit else { return [] }
        return waiting.first().map { [$0] } ?? []
    }

    /// The transfer that takes the next free connection: the one that has waited the longest.
    func next() -> Transfer? {
        if waiting.isEmpty, queue.isEmpty { return nil }
        guard let queued = queue.firstSharing() else { return waiting.first() }
        guard let waiting = waiting.first() else { return queued }
        return waiting.arrival < queued.arrival ? waiting : queued
    }

    /// The queued transfer that has waited the longest, of those for which another connection may be made.
    func firstQueued() -> Transfer? { isHeldByServer ? queue.firstExclusive() : queue.first() }

    /// Whether the server holds back a queued transfer that is older than this one.
    func isHeldByServer(before transfer: Transfer) -> Bool {
        guard let first = queue.firstSharing(), first.arrival < transfer.arrival else { return false }
        return isHeldByServer
    }

    /// Records that a connection which became free has taken a transfer that waited; see ``Turnover``.
    func noteTurnover(in receive: Int) {
        turnover.note(in: receive)
    }

    /// Whether the connections in use become free so fast that the queued transfers need no others.
    func hasTurnover(in receive: Int) -> Bool { turnover.suffices(for: queue.count, in: receive) }
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
