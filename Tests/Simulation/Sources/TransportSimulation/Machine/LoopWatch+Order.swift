// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import SimulationCore
import SwiftyTransport

@testable import SwiftyCurl

// What a loop knows of its transfers and connections, before it sleeps.
extension LoopWatch {
    private var active: [Transfer] { pool.transfers.lists.active }

    /// Each transfer is where its carrier looks for it: in a queue, among those that wait for a connection that is
    /// being made, or on an open connection.
    func checkTransfers() {
        var waiting = 0
        for (index, transfer) in active.enumerated() {
            let isListed = if case .active(index) = transfer.place { true } else { false }
            world.expect(isListed && isHeld(transfer), "a load of a loop is in one place", transfer.key.origin)
            if transfer.carrier is ConnectionGroup || isSharing(transfer) { waiting += 1 }
            // Otherwise nothing would give them to the reader before more arrive.
            let isOnItsWay = transfer.attempt.part.count == 0 || transfer.hasNews
            world.expect(isOnItsWay, "what is gathered for a reader is on its way", transfer.key.origin)
        }
        for group in pool.directory.groups.values where !group.waiting.isEmpty || !group.queue.isEmpty {
            for queue in [group.waiting, group.queue.sharing, group.queue.exclusive] {
                check(queue)
                waiting -= queue.count
            }
        }
        world.expect(waiting == 0, "a load of a loop is in one place", "\(waiting) are not in their queues")
    }

    private func check(_ queue: TransferQueue) {
        let arrivals = queue.all.map(\.arrival)
        let isOrdered = zip(arrivals, arrivals.dropFirst()).allSatisfy { $0 < $1 }
        world.expect(isOrdered, "loads wait in the order of their arrival", "\(arrivals)")
    }

    private func isHeld(_ transfer: Transfer) -> Bool {
        switch transfer.carrier {
        case let group as ConnectionGroup:
            let isQueued = group.queue.sharing.contains(transfer) || group.queue.exclusive.contains(transfer)
            return pool.directory.groups[group.key] === group && isQueued
        case let attempt as PendingConnection:
            let group = attempt.group
            if attempt.isExclusive { return attempt.owner === transfer && group.pending.contains { $0 === attempt } }
            return pool.directory.groups[group.key] === group && group.waiting.contains(transfer)
        case let connection as Connection: return connection.isOpen && isHeld(transfer, by: connection.codec)
        default: return false
        }
    }

    private func isHeld(_ transfer: Transfer, by codec: any Codec) -> Bool {
        guard let codec = codec as? HTTP2Codec else { return !codec.isIdle }
        guard let stream = codec.streams[transfer.attempt.stream] else { return false }
        // Bytes that are held back close the window, which only a pause opens again at its end.
        let isOpen = stream.heldCount == 0 || transfer.attempt.isPaused
        world.expect(isOpen, "no window is kept closed without a pause", "\(stream.heldCount) bytes are held")
        return stream.transfer === transfer
    }

    /// Whether a transfer waits for any of the connections that are being made.
    private func isSharing(_ transfer: Transfer) -> Bool {
        (transfer.carrier as? PendingConnection).map { !$0.isExclusive } ?? false
    }

    /// Each connection is counted once, and nothing is kept for a server to which there is neither a connection nor a
    /// transfer.
    func checkConnections() {
        var (idleCount, pendingCount) = (0, 0)
        for group in pool.directory.groups.values {
            let name = group.key.origin
            let isKnown = pool.directory.hosts[name] === group.host && group.host.groups.contains { $0 === group }
            world.expect(isKnown && !group.isEmpty, "nothing is kept of a server that is not in use", name)
            world.expect(!group.needsConnection, "a connection is being made for each load that waits for one", name)
            let count = count(of: group)
            let isRight = group.connectionCount == count
            world.expect(isRight, "each connection is counted once", "\(name): \(group.connectionCount), not \(count)")
            for connection in group.shared { checkShared(connection) }
            let areOpen = group.pending.allSatisfy { !$0.isFinished } && group.idle.allSatisfy(\.isOpen)
            world.expect(areOpen, "a connection that ends is not shared", name)
            pendingCount += group.pending.count
            idleCount += group.idle.count
        }
        for connection in pool.shared.inOrder where connection.idlePeriod != nil { idleCount += 1 }
        let isRight = idleCount == pool.idle.count && pendingCount == pool.pending.count
        world.expect(isRight, "each connection is counted once", "\(idleCount) idle, \(pendingCount) being made")
        let isUsed = pool.directory.hosts.values.allSatisfy { !$0.groups.isEmpty && !$0.isServedLater }
        world.expect(isUsed, "nothing is kept of a server that is not in use", "of \(pool.directory.hosts.count) hosts")
    }

    /// The number of open connections.
    private func count(of group: ConnectionGroup) -> Int {
        var count = group.idle.count
        for connection in pool.shared.inOrder where connection.group === group { count += 1 }
        for transfer in active {
            guard let connection = transfer.carrier as? Connection, !connection.codec.isShared else { continue }
            if connection.group === group { count += 1 }
        }
        return count
    }

    private func checkShared(_ connection: Connection) {
        let isKnown = pool.shared.contains(connection)
        let isUsable = connection.isOpen && !connection.codec.isDraining && isKnown
        world.expect(isUsable, "a connection that ends is not shared", "connection \(connection.number)")
        let isIdle = connection.codec.isIdle == (connection.idlePeriod != nil)
        world.expect(isIdle, "a connection without loads is idle", "connection \(connection.number)")
    }

    /// The loop learns when a socket can be read, except for a response whose reader pauses, and when output that did
    /// not fit can be written.
    func checkSockets() {
        let table = pool.resources.poll.table
        for (socket, what) in table.handled {
            guard let connection = table.handler(of: socket) as? Connection else { continue }
            let receives =
                what & CURL_POLL_IN != 0 || active.contains { $0.carrier === connection && $0.attempt.isPaused }
            let isWatched = connection.isOpen && receives && sends(connection, what)
            world.expect(isWatched, "a loop watches what it waits for", "socket \(socket)")
            checkPeerWatch(of: connection, on: socket)
            checkIdleLimit(of: connection, on: socket)
        }
    }

    /// The server has counted since the end of its response, whatever has kept the client from reading it.
    private func checkIdleLimit(of connection: Connection, on socket: Int32) {
        guard connection.idlePeriod != nil, let line = sockets.line(of: socket), let end = line.announcedEnd else {
            return
        }
        let limit = end + line.plan.latency + Invariants.tolerance + line.host.network.plan.mostLate
        let late = (connection.idleLimitEnd(pool.limits) &- limit) / 1_000
        world.expect(late <= 0, "an idle connection is kept no longer than its server says", "\(late) µs")
    }

    private func sends(_ connection: Connection, _ what: Int32) -> Bool {
        guard let codec = connection.codec as? HTTP2Codec, !codec.output.isFlushScheduled, !codec.isDraining else {
            return true
        }
        return codec.output.isEmpty == (what & CURL_POLL_OUT == 0)
    }

    /// The time at which the peer of a connection is to be checked.
    private func nextCheck(of connection: Connection) -> Int64 {
        let resources = pool.resources
        guard let interval = resources.environment.settings.connections.pingInterval?.nanoseconds,
            let codec = connection.codec as? HTTP2Codec
        else { return .max }
        let action = codec.watch.action(interval: interval, hasRequests: !codec.isIdle, at: resources.now)
        if case .wait(let time) = action { return time }
        return resources.now
    }

    /// The loop wakes up for the first limit of a transfer or a connection, and for a reader whose part has grown for
    /// long enough.
    func checkWakeUp(after pause: Int32) {
        var first = Int64.max
        for transfer in active { first = min(first, transfer.nextDeadline) }
        if pool.idle.count > 0 {
            for connection in pool.idle.all { first = min(first, connection.idleLimitEnd(pool.limits)) }
        }
        for connection in pool.shared.inOrder { first = min(first, nextCheck(of: connection)) }
        for transfer in pool.transfers.lists.signalled {
            first = min(first, transfer.gatheringEnd(at: world.now) ?? .max)
        }
        // The system sleeps for whole milliseconds.
        let end = pause < 0 ? .max : world.now + Int64(pause - 1) * 1_000_000 + 1
        let late = (end &- first) / 1_000
        world.expect(end <= first, "a loop wakes up for the next limit", "\(late) µs late")
    }
}
