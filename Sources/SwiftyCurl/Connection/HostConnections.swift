// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// All connections of a loop to a host: a scheme, a name and a port, by whichever route and proxy; or to a proxy that
/// forwards the requests to all hosts.
final class HostConnections {
    /// The origin; empty for the forwarding proxy, of which a transport has only one.
    let origin: String
    /// The groups that are not empty.
    @exclusivity(unchecked) var groups: [ConnectionGroup] = []
    /// Whether the pool is about to serve the queued transfers.
    @exclusivity(unchecked) var isServedLater = false
    /// The number of connections that were begun in a turn of the loop.
    @exclusivity(unchecked) private var begun = (count: 0, turn: 0)

    init(origin: String) {
        self.origin = origin
    }

    /// The connections that are open or being made: as many as the server can see.
    var connectionCount: Int { groups.reduce(0) { $0 + $1.connectionCount + $1.pending.count } }

    var hasQueued: Bool { groups.contains { !$0.queue.isEmpty } }

    /// Whether transfers wait for connections that are being made.
    var hasWaiting: Bool { groups.contains { !$0.waiting.isEmpty } }

    /// The number of connections that were begun in this turn of the loop.
    func begunCount(in turn: Int) -> Int { begun.turn == turn ? begun.count : 0 }

    func noteBegin(in turn: Int) {
        begun = (begunCount(in: turn) + 1, turn)
    }

    /// The queued transfer that has waited the longest, of those for which another connection may be made, and its
    /// group.
    func firstQueued() -> (transfer: Transfer, group: ConnectionGroup)? {
        var oldest: (transfer: Transfer, group: ConnectionGroup)?
        for group in groups {
            guard let first = group.firstQueued(), first.arrival < oldest?.transfer.arrival ?? .max else { continue }
            oldest = (first, group)
        }
        return oldest
    }

    /// The connection that has been idle for the longest time, except those of a group, and those on which the server
    /// holds back an older transfer than this one: that would have to begin its wait again.
    func longestIdle(for transfer: Transfer, besides excluded: ConnectionGroup?) -> Connection? {
        let others = groups.filter { $0 !== excluded && !$0.isHeldByServer(before: transfer) }
        return others.flatMap { $0.idle + $0.shared }.filter { $0.idlePeriod != nil }
            .min { ($0.idlePeriod ?? 0) < ($1.idlePeriod ?? 0) }
    }

    /// A connection that is being made although no transfer needs it any more.
    func spareAttempt() -> PendingConnection? {
        groups.first { $0.hasSparePending }?.pending.last { !$0.isExclusive }
    }
}
