// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SimulationCore
import SwiftyTransport

@testable import SwiftyCurl

/// A look at a loop that is about to sleep: what states its connections are in, whether each transfer whose turn it is
/// has a connection, if one has room, and whether what the loop knows of its transfers and connections is consistent.
struct LoopWatch {
    let pool: ConnectionPool
    let sockets: SimulatedSockets
    let world: World

    init(_ loop: EventLoop, _ sockets: SimulatedSockets, _ world: World) {
        (pool, self.sockets, self.world) = (loop.pool, sockets, world)
    }

    /// - Parameter pause: The time for which the loop is about to sleep, in milliseconds; -1 without an end.
    func look(beforeSleepOf pause: Int32) {
        checkTransfers()
        checkConnections()
        checkWakeUp(after: pause)
        checkSockets()
        checkIdle()
        for group in pool.directory.groups.values {
            noteStates(of: group)
            for connection in group.shared { checkUnsent(on: connection) }
            guard let first = group.waiting.all.first else { continue }
            if let older = group.host.firstQueued()?.transfer, older.arrival < first.arrival { continue }
            check(group)
        }
        for host in pool.directory.hosts.values where host.hasQueued { checkQueue(of: host) }
    }

    /// No more connections are idle than the settings allow, and the pool knows which one to close first.
    private func checkIdle() {
        // A copy: the question for the longest one changes it.
        var idle = pool.idle
        let count = idle.count
        world.expect(count <= pool.idleLimit, "no more idle connections are kept than the settings allow", "\(count)")
        if count < 2 { return }
        let isFirst = idle.longest() === idle.all.first
        world.expect(isFirst, "the connection that has been idle for the longest time is closed first", "\(count)")
    }

    /// What is queued is held back by the server, or by the limit of connections.
    private func checkQueue(of host: HostConnections) {
        let first = host.firstQueued()
        let isFull = host.connectionCount >= pool.limits.countPerHost
        world.expect(first == nil || isFull, "no load is queued while another connection may be made", host.origin)
        for group in host.groups {
            guard let queued = group.queue.sharing.all.first else { continue }
            if let first, first.transfer.arrival < queued.arrival { continue }
            check(group)
        }
    }

    private func check(_ group: ConnectionGroup) {
        let hasRoom = !group.idle.isEmpty || group.shared.contains { $0.codec.room > 0 && $0.isYoung(pool.limits) }
        world.expect(!hasRoom, "no load waits for a connection while one has room", group.key.origin)
    }

    /// A request is held back on a shared connection only while the socket takes no more, and the peer is not suspected
    /// to be dead: otherwise it could be on another one.
    private func checkUnsent(on connection: Connection) {
        guard let codec = connection.codec as? HTTP2Codec, !codec.output.isFlushScheduled, !codec.isDraining else {
            return
        }
        let mayHold = !codec.output.isEmpty && !codec.watch.isSuspected
        let unsent = codec.streams.unsent
        world.expect(
            mayHold || unsent.isEmpty,
            "no request is held back on a connection that cannot send it",
            "\(unsent.count) to \(connection.group.key.origin)"
        )
    }

    /// When each side has what the other one has sent, the server has answered each PING: it knows of the streams that
    /// were reset, and has given a sign of life.
    func checkPeerWatch(of connection: Connection, on socket: Int32) {
        guard let codec = connection.codec as? HTTP2Codec, sockets.line(of: socket)?.isAtRest ?? false,
            codec.output.isEmpty, !codec.output.isFlushScheduled,
            pool.resources.environment.settings.connections.pingInterval != nil
        else { return }
        let watch = codec.watch
        let text = "connection \(connection.number)"
        let unanswered = (sockets.line(of: socket)?.peer as? HTTP2Peer)?.unansweredPings.count ?? 0
        world.expect(unanswered == 0, "a PING of the server is answered", text)
        world.expect(watch.resetCount == 0, "a reset stream takes a place until its server knows of it", text)
        world.expect(!watch.isSuspected, "a connection is suspected until its server gives a sign", text)
    }

    private func noteStates(of group: ConnectionGroup) {
        note(.queued, !group.queue.isEmpty)
        note(.awaitingConnection, !group.waiting.isEmpty)
        note(.connecting, !group.pending.isEmpty)
        note(.keptIdle, !group.idle.isEmpty)
        for connection in group.shared {
            let codec = connection.codec
            note(.sharedIdle, codec.isIdle)
            note(.sharedInUse, !codec.isIdle)
            note(.sharedFull, codec.room <= 0 && !codec.isHeldByServer)
            note(.heldByServer, codec.isHeldByServer)
        }
    }

    private func note(_ state: TransportState, _ isSo: Bool) {
        if isSo { world.note(state: state) }
    }
}
