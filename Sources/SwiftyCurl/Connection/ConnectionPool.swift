// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import SwiftyTransport

/// The connections of a loop: those in use, those that are idle, those that are being made, and the transfers that wait
/// for one.
///
/// For each transfer that waits, a connection is made; the transfer takes whichever connection is free first. If the
/// host has as many connections as the settings allow, or those in use may become free sooner, it first waits in the
/// queue of its group: see `ConnectionPool+Queue.swift`.
final class ConnectionPool {
    typealias CodecMaker = (OpenConnection) throws(TransferFailure) -> any Codec

    let resources: LoopResources
    let transfers: ActiveTransfers
    let makeCodec: CodecMaker
    let limits: ConnectionLimits
    let idleLimit: Int
    @exclusivity(unchecked) var directory = ConnectionDirectory()
    @exclusivity(unchecked) var line = WaitingLine()
    @exclusivity(unchecked) var pending = PendingConnections()
    @exclusivity(unchecked) var shared = SharedConnections()
    @exclusivity(unchecked) var idle = IdleConnections()
    @exclusivity(unchecked) var deferred = DeferredWork()
    /// The idle connection that is examined for a transfer.
    @exclusivity(unchecked) var examined: Connection?

    init(_ resources: LoopResources, _ transfers: ActiveTransfers, makeCodec: @escaping CodecMaker) {
        self.resources = resources
        self.transfers = transfers
        self.makeCodec = makeCodec
        limits = ConnectionLimits(resources.environment.settings.connections)
        idleLimit = resources.environment.maximumIdleConnections
    }

    /// The connections by origin.
    var statistics: ConnectionStatistics {
        var statistics = ConnectionStatistics()
        for group in directory.groups.values {
            let host = statistics.hosts[group.key.origin] ?? ConnectionStatistics.Host()
            statistics.hosts[group.key.origin] = host + group.statistics
        }
        return statistics
    }

    var isConnecting: Bool { !pending.isEmpty }

    /// Gives a transfer a connection, or has it wait for one.
    func serve(_ transfer: Transfer) {
        resources.watch(transfer.nextDeadline)
        line.receive(transfer)
        let group = group(of: transfer.key)
        if mustQueue(in: group) || !start(transfer, in: group) { enqueue(transfer, in: group) }
    }

    /// Gives a transfer a connection, or has it wait for one that is being made. Returns `false` if it has to queue.
    func start(_ transfer: Transfer, in group: ConnectionGroup) -> Bool {
        if !transfer.requiresNewConnection {
            if giveFree(to: transfer, in: group) { return true }
            if let attempt = attemptWithRoom(for: transfer, in: group) {
                group.release(transfer)
                group.enlist(transfer, for: attempt)
                return true
            }
        }
        if group.isHeldByServer, !transfer.requiresNewConnection { return false }
        guard makePlace(for: transfer, in: group) else { return false }
        connect(for: transfer, in: group)
        return true
    }

    /// Gives a transfer a connection that has room. Returns `false` if there is none.
    func giveFree(to transfer: Transfer, in group: ConnectionGroup) -> Bool {
        if share(in: group, with: transfer) { return true }
        guard let connection = takeIdle(from: group) else { return false }
        give(connection, to: transfer)
        return true
    }

    /// A connection that is being made and that has room for another transfer, as far as is known. Those that are
    /// queued come first.
    private func attemptWithRoom(for transfer: Transfer, in group: ConnectionGroup) -> PendingConnection? {
        guard group.expectsRoom, transfer.carrier === group || group.queue.isEmpty else { return nil }
        return group.pending.last { !$0.isExclusive }
    }

    /// Forgets a transfer that has ended while it waited for a connection.
    func forget(_ transfer: Transfer, waitingFor attempt: PendingConnection) {
        let group = attempt.group
        group.release(transfer)
        if attempt.isExclusive {
            cancel(attempt)
        } else if group.hasSparePending {
            let spare = attempt.isFinished ? group.pending.last { !$0.isExclusive } : attempt
            if let spare { cancel(spare) }
        }
        serveLater(group.host)
        directory.removeIfEmpty(group)
    }

    /// Sends the output of connections that join the requests of a turn.
    func flush() {
        for connection in deferred.takeUnflushed() where connection.isOpen { connection.codec.flush(on: connection) }
    }

    /// Ends the connections whose sockets the system cannot watch any more.
    func loseUnwatched() {
        if !deferred.hasUnwatched { return }
        for connection in deferred.takeUnwatched() where connection.isOpen {
            connection.codec.lose(.unwatched, on: connection)
        }
    }

    /// Closes everything that is not in use.
    func closeAll() {
        for attempt in pending.inOrder { cancel(attempt) }
        for group in Array(directory.groups.values) {
            for connection in group.idle { connection.close() }
        }
        for connection in shared.inOrder { connection.close() }
        directory.removeAll()
        idle = IdleConnections()
    }

    private func group(of key: ConnectionKey) -> ConnectionGroup {
        if let group = directory.groups[key] { return group }
        let host = directory.host(of: key.origin)
        let group = ConnectionGroup(key: key, of: host, in: self, maximumRoom: maximumRoom(of: key))
        directory.add(group)
        return group
    }

    /// The number of transfers that a new connection may be able to carry.
    private func maximumRoom(of key: ConnectionKey) -> Int {
        let environment = resources.environment
        let isShared = environment.offersHTTP2 && key.origin.hasPrefix("https:") && !key.requiresHTTP1
        return isShared ? min(environment.maximumConcurrentStreams, 1 << 20) : 1
    }
}
