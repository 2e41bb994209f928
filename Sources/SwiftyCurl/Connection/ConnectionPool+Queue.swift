// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTransport

// The transfers that wait although no connection is being made for them: because their host has as many connections as
// the settings allow, because many were begun in the same turn, or because one in use may become free in this turn.
//
// They are served by host, in the order of their arrival. Each event that may make room has the host served later in
// the turn: the end of a connection or of an attempt, an idle connection, the end of a transfer that waits.

extension ConnectionPool {
    /// The number of connections to a host that are begun in one turn of the loop. libcurl's handle takes much memory
    /// until its connection is established: thousands of handles would fragment the heap.
    private static let beginsPerTurn = 64
    /// The same while connections to it are open. Making one takes as long as dozens of loads, over TLS hundreds: if
    /// there are more loads than the loop can carry, the open connections must not wait for those that it makes.
    private static let furtherBeginsPerTurn = 1

    /// Has the transfers that wait at a host served in this turn, or in the next one.
    func serveLater(_ host: HostConnections) {
        if host.hasQueued || limits.limitsCount && host.hasWaiting { line.add(host) }
    }

    /// Serves the queued transfers for which there may be room.
    func serveQueued() {
        line.beginTurn()
        if line.hasHosts { serveHosts() }
    }

    private func serveHosts() {
        for host in line.takeHosts() {
            host.isServedLater = false
            repeat {
                while let (transfer, group) = host.firstQueued(), start(transfer, in: group) {}
            } while serveFree(at: host)
            if let (transfer, group) = host.firstQueued() { serveLaterIfHeld(transfer, in: group) }
        }
    }

    /// Gives an open connection with room to one of the transfers that get no other: those that wait for connections
    /// being made, and those that the server holds back on another connection. It may have been kept for an older
    /// transfer, which has left the queue without it. Returns whether there was one.
    private func serveFree(at host: HostConnections) -> Bool {
        guard limits.limitsCount else { return false }
        for group in host.groups {
            if let transfer = firstInTurn(of: group), giveFree(to: transfer, in: group) { return true }
        }
        return false
    }

    /// Whether a new transfer has to wait after others, because the number of connections to its host is limited.
    func mustQueue(in group: ConnectionGroup) -> Bool {
        limits.limitsCount && group.host.firstQueued() != nil
    }

    func enqueue(_ transfer: Transfer, in group: ConnectionGroup) {
        directory.add(group)
        group.enqueue(transfer)
        // One that is repeated may be the first again, and its connection may have room.
        if !line.isLast(transfer) { serveLater(group.host) }
        serveLaterIfHeld(transfer, in: group)
    }

    /// Queues again the transfers for which the connections that are being made do not suffice any more: they carry
    /// fewer than was expected, or have failed. Serves those that wait: more may be allowed than before.
    func requeueUnserved(of group: ConnectionGroup) {
        group.requeueUnserved()
        serveLater(group.host)
    }

    /// Removes a queued transfer that has ended.
    func forgetQueued(_ transfer: Transfer, in group: ConnectionGroup) {
        group.release(transfer)
        // Another one may be served without a new connection, on a shared one.
        serveLater(group.host)
        directory.removeIfEmpty(group)
    }

    /// The transfer that takes a free connection of the group; `nil` if none waits, or if an older one comes first, of
    /// another group or with the demand for a new connection.
    func next(of group: ConnectionGroup) -> Transfer? {
        let next = firstInTurn(of: group)
        // Once it is gone, it may be the turn of one that needs no other connection, or that demands a new one.
        if next != nil { serveLater(group.host) }
        return next
    }

    private func firstInTurn(of group: ConnectionGroup) -> Transfer? {
        guard let next = group.next() else { return nil }
        guard limits.limitsCount, let first = group.host.firstQueued()?.transfer, first.arrival < next.arrival
        else { return next }
        return group.host.connectionCount < limits.countPerHost ? next : nil
    }

    /// Makes room for a new connection, by closing an idle one. Returns `false` if all of them are in use.
    func makePlace(for transfer: Transfer, in group: ConnectionGroup) -> Bool {
        let host = group.host
        guard mayBegin(for: transfer, in: group) else { return false }
        if host.connectionCount < limits.countPerHost { return true }
        // An idle connection of the same group has no room.
        if let idle = host.longestIdle(for: transfer, besides: transfer.requiresNewConnection ? nil : group) {
            idle.close()
        } else if let spare = host.spareAttempt() {
            cancel(spare)
        }
        return host.connectionCount < limits.countPerHost
    }

    /// Whether a connection may be begun for a transfer in this turn, if the settings allow one.
    private func mayBegin(for transfer: Transfer, in group: ConnectionGroup) -> Bool {
        let isFirst = group.connectionCount == 0
        guard group.host.begunCount(in: line.turn) < (isFirst ? Self.beginsPerTurn : Self.furtherBeginsPerTurn) else {
            return false
        }
        if isFirst || transfer.requiresNewConnection { return true }
        // Until the loop has received once more, a connection in use may become free.
        return line.hasReceived(since: transfer) && !group.hasTurnover(in: line.receiveCount)
    }

    /// Has a transfer that may get a connection in the next turn served then.
    private func serveLaterIfHeld(_ transfer: Transfer, in group: ConnectionGroup) {
        if !mayBegin(for: transfer, in: group) { serveLater(group.host) }
    }
}
