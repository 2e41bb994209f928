// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import SwiftyTransport

/// The connections of a loop: those in use, those that are idle, those that are being made, and the transfers that wait
/// for one.
///
/// For each transfer that waits, a connection is made; the transfer takes whichever connection is free first. If the
/// host has as many connections as the settings allow, or many were begun in the same turn, it first waits in the queue
/// of its group: see `ConnectionPool+Queue.swift`.
final class ConnectionPool {
    /// Makes the codec for a connection.
    typealias CodecMaker = (OpenConnection) throws(TransferFailure) -> any Codec

    let resources: LoopResources
    let transfers: ActiveTransfers
    let makeCodec: CodecMaker
    let limits: ConnectionLimits
    let idleLimit: Int
    @exclusivity(unchecked) var groups: [ConnectionKey: ConnectionGroup] = [:]
    @exclusivity(unchecked) var hosts: [String: HostConnections] = [:]
    /// The hosts whose queued transfers may be served.
    @exclusivity(unchecked) var servedLater: [HostConnections] = []
    /// The number of the loop's turn.
    @exclusivity(unchecked) var turn = 0
    /// The number of transfers that have arrived.
    @exclusivity(unchecked) private(set) var arrivalCount = 0
    @exclusivity(unchecked) var idle = IdleConnections()
    /// All open connections that carry several transfers, by the numbers of the attempts that made them.
    @exclusivity(unchecked) var sharedConnections: [Int: Connection] = [:]
    /// The connections that are being made, by their numbers.
    @exclusivity(unchecked) var pending: [Int: PendingConnection] = [:]
    /// The number of attempts to connect so far.
    @exclusivity(unchecked) var attemptCount = 0

    /// The idle connection that is examined for a transfer.
    @exclusivity(unchecked) var examined: Connection?

    /// The connections with deferred work.
    @exclusivity(unchecked) var deferred = DeferredWork()

    init(_ resources: LoopResources, _ transfers: ActiveTransfers, makeCodec: @escaping CodecMaker) {
        self.resources = resources
        self.transfers = transfers
        self.makeCodec = makeCodec
        limits = ConnectionLimits(resources.environment.settings.connections)
        idleLimit = resources.environment.maximumIdleConnections
    }

    /// Whether connections are being made.
    var isConnecting: Bool { !pending.isEmpty }

    /// Gives a transfer a connection, or has it wait for one.
    func serve(_ transfer: Transfer) {
        resources.watch(transfer.nextDeadline)
        if transfer.arrival == 0 {
            arrivalCount &+= 1
            transfer.arrival = arrivalCount
        }
        let group = group(of: transfer.key)
        if mustQueue(in: group) || !start(transfer, in: group) { enqueue(transfer, in: group) }
    }

    /// Gives a transfer a connection, or has it wait for one that is being made. Returns `false` if it has to queue.
    func start(_ transfer: Transfer, in group: ConnectionGroup) -> Bool {
        if !transfer.requiresNewConnection {
            if giveFree(to: transfer, in: group) { return true }
            if let attempt = attemptWithRoom(in: group) {
                group.remove(transfer)
                transfer.carrier = attempt
                group.waiting.add(transfer)
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

    /// A connection that is being made and that has room for another transfer, as far as is known.
    private func attemptWithRoom(in group: ConnectionGroup) -> PendingConnection? {
        guard group.expectsRoom, group.expectedRoom > 1 || limits.limitsCount else { return nil }
        return group.pending.last { !$0.isExclusive }
    }

    /// Forgets a transfer that has ended while it waited for a connection.
    func forget(_ transfer: Transfer, waitingFor attempt: PendingConnection) {
        transfer.carrier = nil
        let group = attempt.group
        group.waiting.remove(transfer)
        if attempt.isExclusive {
            cancel(attempt)
        } else if group.hasSparePending {
            let spare = attempt.isFinished ? group.pending.last { !$0.isExclusive } : attempt
            if let spare { cancel(spare) }
        }
        serveLater(group.host)
        removeIfEmpty(group)
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
        for (_, attempt) in pending.sorted(by: { $0.key < $1.key }) { cancel(attempt) }
        for group in Array(groups.values) {
            for connection in group.idle { connection.close() }
        }
        for connection in openShared { connection.close() }
        for host in hosts.values { host.groups.removeAll() }
        hosts.removeAll()
        groups.removeAll()
        idle = IdleConnections()
    }

    private func group(of key: ConnectionKey) -> ConnectionGroup {
        if let group = groups[key] { return group }
        let host = hosts[key.origin] ?? HostConnections(origin: key.origin)
        let group = ConnectionGroup(key: key, of: host, in: self, expectedRoom: expectedRoom(of: key))
        register(group)
        return group
    }

    /// Registers a group that is new, or that was just removed because it was empty.
    func register(_ group: ConnectionGroup) {
        if groups[group.key] === group { return }
        groups[group.key] = group
        group.host = hosts[group.key.origin] ?? group.host
        hosts[group.key.origin] = group.host
        group.host.groups.append(group)
    }

    func removeIfEmpty(_ group: ConnectionGroup) {
        guard group.isEmpty, groups[group.key] === group else { return }
        groups[group.key] = nil
        let host = group.host
        host.groups.removeAll { $0 === group }
        if host.groups.isEmpty { hosts[host.origin] = nil }
    }

    /// The number of transfers that a new connection of the group is expected to carry: as many as the last one.
    func expectedRoom(of group: ConnectionGroup) -> Int {
        min(expectedRoom(of: group.key), max(1, group.streamLimit ?? .max))
    }

    /// The number of transfers that a new connection may be able to carry.
    private func expectedRoom(of key: ConnectionKey) -> Int {
        let environment = resources.environment
        let isShared = environment.offersHTTP2 && key.origin.hasPrefix("https:") && !key.requiresHTTP1
        return isShared ? min(environment.maximumConcurrentStreams, 1 << 20) : 1
    }
}
