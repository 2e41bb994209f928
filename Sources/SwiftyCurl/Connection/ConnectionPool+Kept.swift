// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTransport

// The connections that are kept for further transfers.

// MARK: Shared connections

extension ConnectionPool {
    /// Checks that the peers of silent connections still respond. Returns the time of the next check.
    func checkPeers() -> Int64 {
        shared.inOrder.reduce(.max) { min($0, $1.codec.checkPeer(on: $1)) }
    }

    /// Whether an idle connection may be used; reads what the server has sent meanwhile. While it is examined for a
    /// transfer, it gets none of those that wait: the transfer may be among them.
    private func isUsable(_ connection: Connection) -> Bool {
        examined = connection
        defer { examined = nil }
        return connection.isUsable(limits)
    }

    /// Gives the connection as many of the transfers that wait as it has room for, unless it is too old.
    func fill(_ connection: Connection) {
        if connection === examined { return }
        let group = connection.group
        let isYoung = connection.isYoung(limits)
        while connection.isOpen, isYoung, connection.codec.room > 0, let next = next(of: group) {
            // The connection may have had no room while it was idle.
            idle.remove(connection)
            group.noteTurnover(in: line.receiveCount)
            give(connection, to: next)
        }
        guard connection.isOpen, connection.codec.isIdle else { return }
        if connection.codec.isDraining || limits.forbidsReuse || !isYoung {
            connection.close()
        } else if connection.idlePeriod == nil {
            connection.noteIdle()
            addIdle(connection)
        }
    }

    /// Gives a transfer a shared connection with room. Returns `false` if no connection has any.
    func share(in group: ConnectionGroup, with transfer: Transfer) -> Bool {
        for connection in group.shared where connection.codec.room > 0 {
            if connection.idlePeriod == nil {
                guard connection.isYoung(limits) else {
                    connection.stopSharing()
                    continue
                }
                give(connection, to: transfer)
                return true
            }
            guard isUsable(connection) else {
                connection.close()
                continue
            }
            guard connection.codec.room > 0 else { continue }
            idle.remove(connection)
            give(connection, to: transfer)
            // Transfers for which the server has just made room.
            fill(connection)
            return true
        }
        return false
    }
}

// MARK: Idle connections

extension ConnectionPool {
    /// Keeps a connection whose exchange has ended cleanly, for the next one.
    func takeBack(_ connection: Connection) {
        if limits.forbidsReuse { return connection.close() }
        guard let next = next(of: connection.group) else { return keep(connection) }
        // The transfers that wait have connections made for them, or get one made in place of this one.
        guard connection.isUsable(limits) else { return connection.close() }
        connection.group.noteTurnover(in: line.receiveCount)
        give(connection, to: next)
    }

    /// Forgets a closed connection.
    func forget(_ connection: Connection) {
        let group = connection.group
        if connection.codec.isShared { shared.remove(connection) }
        group.forget(connection)
        idle.remove(connection)
        serveLater(group.host)
        directory.removeIfEmpty(group)
    }

    /// Closes the connections that have been idle for too long; servers allow different times. Returns the time at
    /// which the next one is to be closed; `.max` if none is idle.
    func closeExpired() -> Int64 {
        var next = Int64.max
        for connection in idle.all {
            let end = connection.idleLimitEnd(limits)
            if end <= resources.now { connection.close() } else { next = min(next, end) }
        }
        return next
    }

    func keep(_ connection: Connection) {
        guard connection.isOpen else { return }
        if limits.forbidsReuse { return connection.close() }
        connection.noteIdle()
        connection.group.keep(connection)
        addIdle(connection)
    }

    func addIdle(_ connection: Connection) {
        idle.append(connection)
        // It may be closed to make room.
        if limits.limitsCount { serveLater(connection.group.host) }
        if idle.count > idleLimit { idle.longest()?.close() }
        resources.watch(connection.idleLimitEnd(limits))
    }

    func takeIdle(from group: ConnectionGroup) -> Connection? {
        while let connection = group.idle.last {
            guard connection.isUsable(limits) else {
                connection.close()
                continue
            }
            group.takeLastIdle()
            idle.remove(connection)
            return connection
        }
        return nil
    }
}
