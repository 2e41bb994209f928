// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import SwiftyTransport

/// The connections of a loop: those that are idle, those that are being made, and the transfers that wait for one.
///
/// Each transfer that waits has a connection made for it, and takes the first one that is free, whichever that is.
final class ConnectionPool {
    // Safety: the loop owns the pool.
    private unowned(unsafe) let loop: EventLoop
    private let limits: ConnectionLimits
    private let idleLimit: Int
    @exclusivity(unchecked) private var groups: [ConnectionKey: ConnectionGroup] = [:]
    @exclusivity(unchecked) private var idle = IdleConnections()
    /// All open connections that carry several transfers.
    @exclusivity(unchecked) private var sharedConnections: [ObjectIdentifier: Connection] = [:]

    init(loop: EventLoop) {
        self.loop = loop
        limits = ConnectionLimits(loop.environment.settings.connections)
        idleLimit = loop.environment.maximumIdleConnections
    }

    /// Gives a transfer a connection, or has it wait for one.
    func serve(_ transfer: Transfer) {
        let group = group(of: transfer.key)
        guard !transfer.requiresNewConnection else { return connect(for: transfer, in: group) }
        if let connection = takeShared(from: group) ?? takeIdle(from: group) { return connection.begin(transfer) }
        guard group.expectsRoom, group.expectedRoom > 1,
            let connector = group.connectors.last(where: { !$0.isExclusive })
        else { return connect(for: transfer, in: group) }
        transfer.connector = connector
        group.waiting.append(transfer)
    }

    /// A transfer that waits for a connection has ended.
    func forget(_ transfer: Transfer) {
        guard let connector = transfer.connector else { return }
        transfer.connector = nil
        let group = connector.group
        group.waiting.remove(transfer)
        if connector.isExclusive {
            cancel(connector, in: group)
        } else if group.hasSpareConnector {
            let spare = connector.isFinished ? group.connectors.last { !$0.isExclusive } : connector
            if let spare { cancel(spare, in: group) }
        }
        removeIfEmpty(group)
    }

    /// Closes everything that is not in use.
    func closeAll() {
        for group in groups.values {
            for connection in group.idle { connection.close() }
            for connector in group.connectors { connector.cancel() }
        }
        for connection in sharedConnections.values { connection.close() }
        groups.removeAll()
        idle = IdleConnections()
    }

    private func group(of key: ConnectionKey) -> ConnectionGroup {
        if let group = groups[key] { return group }
        let group = ConnectionGroup(key: key, expectedRoom: loop.environment.expectedRoom(of: key))
        groups[key] = group
        return group
    }

    private func removeIfEmpty(_ group: ConnectionGroup) {
        if group.isEmpty, groups[group.key] === group { groups[group.key] = nil }
    }
}

// MARK: Making connections

extension ConnectionPool {
    private func connect(for transfer: Transfer, in group: ConnectionGroup) {
        guard let connector = Connector(for: transfer, in: group, loop: loop) else {
            return loop.fail(transfer, .noHandle)
        }
        // The group may have been empty, and removed, a moment ago.
        groups[group.key] = group
        transfer.connector = connector
        group.connectors.append(connector)
        if !connector.isExclusive { group.waiting.append(transfer) }
        if connector.start() { return }
        forget(transfer)
        loop.fail(transfer, .noHandle)
    }

    private func cancel(_ connector: Connector, in group: ConnectionGroup) {
        group.remove(connector)
        connector.cancel()
    }

    /// libcurl has opened a connection, or failed to.
    func finish(_ connector: Connector, _ code: CURLcode) {
        let group = connector.group
        group.remove(connector)
        defer { connector.releaseOwner() }
        switch connector.finish(code) {
        case .success(let connection): take(connection, from: connector)
        case .failure(let failure): fail(connector, failure)
        }
        connectForWaiting(in: group)
        removeIfEmpty(group)
    }

    private func take(_ connection: Connection, from connector: Connector) {
        let group = connector.group
        let isShared = connection.codec.isShared
        if group.expectedRoom > 1, !isShared { group.expectedRoom = 1 }
        if isShared {
            group.expectedRoom = loop.environment.expectedRoom(of: group.key)
            group.shared.append(connection)
            sharedConnections[ObjectIdentifier(connection)] = connection
        }
        if connector.isExclusive, let owner = connector.owner { give(connection, to: owner) }
        if isShared {
            fill(connection)
        } else if !connector.isExclusive {
            give(connection, to: group.waiting.popFirst())
        }
    }

    private func fail(_ connector: Connector, _ failure: TransferFailure) {
        let victims = connector.group.victims(of: connector, isOwnLimit: failure.code == .timedOut)
        for victim in victims {
            victim.connector = nil
            loop.fail(victim, failure, on: connector.facts)
        }
    }

    /// Has connections made for the transfers that wait without one.
    private func connectForWaiting(in group: ConnectionGroup) {
        guard group.needsConnector else { return }
        for transfer in group.waiting.all where transfer.connector?.isFinished ?? true {
            group.waiting.remove(transfer)
            connect(for: transfer, in: group)
            if !group.needsConnector { break }
        }
    }

    /// Has the connection carry the transfer, or keeps it if there is none.
    private func give(_ connection: Connection, to transfer: Transfer?) {
        guard let transfer else { return keep(connection) }
        transfer.connector = nil
        connection.begin(transfer)
    }
}

// MARK: Shared connections

extension ConnectionPool {
    /// Transfers have ended on a shared connection: it may carry others, or become idle.
    func noteRoom(on connection: Connection) {
        fill(connection)
    }

    /// The connection takes no further transfers.
    func stopSharing(_ connection: Connection) {
        connection.group.remove(connection)
    }

    /// Checks that the peers of silent connections still live. Returns the time of the next check.
    func checkPeers() -> Int64 {
        Array(sharedConnections.values).reduce(.max) { min($0, $1.codec.checkPeer(on: $1)) }
    }

    /// Gives the connection as many of the transfers that wait as it has room for.
    private func fill(_ connection: Connection) {
        let group = connection.group
        while connection.isOpen, connection.codec.room > 0, let next = group.waiting.popFirst() {
            give(connection, to: next)
        }
        guard connection.isOpen, connection.codec.isIdle else { return }
        if connection.codec.isDraining || limits.forbidsReuse {
            connection.close()
        } else if connection.idlePeriod == nil {
            connection.noteIdle()
            addIdle(connection)
        }
    }

    private func takeShared(from group: ConnectionGroup) -> Connection? {
        for connection in group.shared where connection.codec.room > 0 {
            if connection.idlePeriod == nil {
                if connection.isYoung(limits) { return connection }
                stopSharing(connection)
                continue
            }
            guard connection.isUsable(limits) else {
                connection.close()
                continue
            }
            idle.remove(connection)
            return connection
        }
        return nil
    }
}

// MARK: Idle connections

extension ConnectionPool {
    /// An exchange has ended cleanly: the connection may carry the next one.
    func takeBack(_ connection: Connection) {
        if limits.forbidsReuse { return connection.close() }
        if connection.group.waiting.isEmpty { return keep(connection) }
        // Those that wait have connections made for them.
        guard connection.isUsable(limits) else { return connection.close() }
        give(connection, to: connection.group.waiting.popFirst())
    }

    /// A connection was closed.
    func forget(_ connection: Connection) {
        let group = connection.group
        group.connectionCount -= 1
        if connection.codec.isShared { sharedConnections[ObjectIdentifier(connection)] = nil }
        group.remove(connection)
        idle.remove(connection)
        removeIfEmpty(group)
    }

    /// Closes the connections that have been idle for too long.
    func closeExpired() {
        while let connection = idle.longest(), connection.idleLimitEnd(limits) <= loop.now { connection.close() }
    }

    /// The time at which the next idle connection is to be closed; `.max` if none is idle.
    func nextExpiry() -> Int64 {
        idle.longest()?.idleLimitEnd(limits) ?? .max
    }

    private func keep(_ connection: Connection) {
        guard connection.isOpen else { return }
        if limits.forbidsReuse { return connection.close() }
        connection.group.idle.append(connection)
        addIdle(connection)
    }

    private func addIdle(_ connection: Connection) {
        idle.append(connection)
        if idle.count > idleLimit { idle.longest()?.close() }
        loop.watchIdleConnections()
    }

    private func takeIdle(from group: ConnectionGroup) -> Connection? {
        while let connection = group.idle.last {
            guard connection.isUsable(limits) else {
                connection.close()
                continue
            }
            group.idle.removeLast()
            idle.remove(connection)
            return connection
        }
        return nil
    }
}
