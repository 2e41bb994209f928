// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The connections of one key, and the transfers that wait for one.
final class ConnectionGroup {
    let key: ConnectionKey
    /// The idle connections, the last used one last.
    @exclusivity(unchecked) var idle: [Connection] = []
    /// The connections that are being made.
    @exclusivity(unchecked) var connectors: [Connector] = []
    /// The transfers that take the next free connection. Those that demand a new one are not among them.
    @exclusivity(unchecked) var waiting = TransferQueue()
    /// The number of open connections, idle or in use.
    @exclusivity(unchecked) var connectionCount = 0

    init(key: ConnectionKey) {
        self.key = key
    }

    /// Whether nothing refers to the group any more.
    var isEmpty: Bool { connectionCount == 0 && connectors.isEmpty && waiting.isEmpty }

    /// The number of connections that are being made for the transfers that wait.
    var sharedConnectorCount: Int {
        connectors.reduce(0) { $1.isExclusive ? $0 : $0 + 1 }
    }

    func remove(_ connector: Connector) {
        connectors.removeAll { $0 === connector }
    }

    /// The transfer that a new connection is for; `nil` if none waits any more.
    func next(for connector: Connector) -> Transfer? {
        connector.isExclusive ? connector.owner : waiting.popFirst()
    }

    /// The transfer that a failed connector ends; `nil` if the others that wait have connectors of their own.
    func victim(of connector: Connector) -> Transfer? {
        if connector.isExclusive { return connector.owner }
        if sharedConnectorCount >= waiting.count { return nil }
        guard let owner = connector.owner, waiting.contains(owner) else { return waiting.popFirst() }
        waiting.remove(owner)
        return owner
    }
}
