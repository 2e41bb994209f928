// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import SwiftyTransport

/// The connections of a loop: those in use, those that are idle, those that are being made, and the transfers that wait
/// for one.
///
/// Each transfer that waits has a connection made for it, and takes the first one that is free, whichever that is.
final class ConnectionPool {
    /// Makes the codec for a connection.
    typealias CodecMaker = (OpenConnection) throws(TransferFailure) -> any Codec

    let resources: LoopResources
    let transfers: ActiveTransfers
    let makeCodec: CodecMaker
    let limits: ConnectionLimits
    let idleLimit: Int
    @exclusivity(unchecked) var groups: [ConnectionKey: ConnectionGroup] = [:]
    @exclusivity(unchecked) var idle = IdleConnections()
    /// All open connections that carry several transfers.
    @exclusivity(unchecked) var sharedConnections: [ObjectIdentifier: Connection] = [:]
    /// The connections that are being made, by their easy handles.
    @exclusivity(unchecked) var pending: [UnsafeMutableRawPointer: PendingConnection] = [:]

    /// The connections with work for a later moment.
    @exclusivity(unchecked) var deferred = DeferredWork()

    init(_ resources: LoopResources, _ transfers: ActiveTransfers, makeCodec: @escaping CodecMaker) {
        self.resources = resources
        self.transfers = transfers
        self.makeCodec = makeCodec
        limits = ConnectionLimits(resources.environment.settings.connections)
        idleLimit = resources.environment.maximumIdleConnections
    }

    /// Gives a transfer a connection, or has it wait for one.
    func serve(_ transfer: Transfer) {
        resources.watch(transfer.nextDeadline)
        let group = group(of: transfer.key)
        guard !transfer.requiresNewConnection else { return connect(for: transfer, in: group) }
        if let connection = takeShared(from: group) ?? takeIdle(from: group) { return connection.begin(transfer) }
        guard group.expectsRoom, group.expectedRoom > 1, let attempt = group.pending.last(where: { !$0.isExclusive })
        else { return connect(for: transfer, in: group) }
        transfer.carrier = attempt
        group.waiting.append(transfer)
    }

    /// A transfer that waits for a connection has ended.
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
        removeIfEmpty(group)
    }

    /// Sends the output of connections that join the requests of a turn.
    func flush() {
        for connection in deferred.takeUnflushed() where connection.isOpen { connection.codec.flush(on: connection) }
    }

    /// Closes everything that is not in use.
    func closeAll() {
        for attempt in Array(pending.values) { cancel(attempt) }
        for group in Array(groups.values) {
            for connection in group.idle { connection.close() }
        }
        for connection in Array(sharedConnections.values) { connection.close() }
        groups.removeAll()
        idle = IdleConnections()
    }

    private func group(of key: ConnectionKey) -> ConnectionGroup {
        if let group = groups[key] { return group }
        let group = ConnectionGroup(key: key, expectedRoom: expectedRoom(of: key))
        groups[key] = group
        return group
    }

    func removeIfEmpty(_ group: ConnectionGroup) {
        if group.isEmpty, groups[group.key] === group { groups[group.key] = nil }
    }

    /// The number of transfers that a new connection may be able to carry.
    func expectedRoom(of key: ConnectionKey) -> Int {
        let environment = resources.environment
        let isShared = environment.offersHTTP2 && key.origin.hasPrefix("https:")
        return isShared ? min(environment.maximumConcurrentStreams, 1 << 20) : 1
    }
}
