// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The connections of one key, and the transfers that wait for one.
final class ConnectionGroup {
    let key: ConnectionKey
    /// The idle connections that carry one transfer at a time, the last used one last.
    @exclusivity(unchecked) var idle: [Connection] = []
    /// The connections that carry several transfers and take more.
    @exclusivity(unchecked) var shared: [Connection] = []
    /// The connections that are being made.
    @exclusivity(unchecked) var pending: [PendingConnection] = []
    /// The transfers that take the next free connection. Those that demand a new one are not among them.
    @exclusivity(unchecked) var waiting = TransferQueue()
    /// The number of open connections, idle or in use.
    @exclusivity(unchecked) var connectionCount = 0
    /// The number of transfers that a new connection can carry, as far as is known: several, unless the server has
    /// chosen HTTP/1.1.
    @exclusivity(unchecked) var expectedRoom: Int

    init(key: ConnectionKey, expectedRoom: Int) {
        self.key = key
        self.expectedRoom = expectedRoom
    }

    /// Whether nothing refers to the group any more.
    var isEmpty: Bool { connectionCount == 0 && pending.isEmpty && waiting.isEmpty }

    /// Whether the connections that are being made have room for another transfer that waits.
    var expectsRoom: Bool { sharedPendingCount * expectedRoom > waiting.count }
    /// Whether fewer connections are being made than the transfers that wait need.
    var needsConnection: Bool { sharedPendingCount * expectedRoom < waiting.count }
    /// Whether the transfers that wait do not need one of the connections that are being made.
    var hasSparePending: Bool { (sharedPendingCount - 1) * expectedRoom >= waiting.count }

    /// The connections that are being made for the transfers that wait.
    private var sharedPendingCount: Int {
        pending.reduce(0) { $1.isExclusive ? $0 : $0 + 1 }
    }

    func remove(_ attempt: PendingConnection) {
        pending.removeAll { $0 === attempt }
    }

    func remove(_ connection: Connection) {
        if connection.codec.isShared {
            shared.removeAll { $0 === connection }
        } else if connection.idlePeriod != nil {
            idle.removeAll { $0 === connection }
        }
    }

    /// The transfers that a failed attempt ends: all that share it; else its owner, unless the others that wait have
    /// attempts enough.
    func victims(of attempt: PendingConnection, isOwnLimit: Bool) -> [Transfer] {
        if attempt.isExclusive { return attempt.owner.map { [$0] } ?? [] }
        if expectedRoom > 1, !isOwnLimit { return waiting.removeAll { $0.carrier === attempt } }
        if let owner = attempt.owner, waiting.contains(owner) {
            guard needsConnection || isOwnLimit else { return [] }
            waiting.remove(owner)
            return [owner]
        }
        guard needsConnection, !isOwnLimit else { return [] }
        return waiting.popFirst().map { [$0] } ?? []
    }
}
