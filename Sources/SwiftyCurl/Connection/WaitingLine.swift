// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The order in which transfers have arrived, and the hosts whose waiting transfers may be served.
struct WaitingLine {
    /// The number of the loop's turn.
    private(set) var turn = 0
    /// The number of transfers that have arrived.
    private var arrivalCount = 0
    /// How often the loop has received, and the number of transfers that had arrived the last time.
    private(set) var receiveCount = 0
    private var countAtReceiving = 0
    private var hosts: [HostConnections] = []

    /// Whether transfers may be served without another event.
    var hasHosts: Bool { !hosts.isEmpty }

    /// Numbers a transfer that has just arrived; one that is repeated keeps its number.
    mutating func receive(_ transfer: Transfer) {
        if transfer.arrival != 0 { return }
        arrivalCount &+= 1
        transfer.arrive(as: arrivalCount)
    }

    /// Whether no other transfer has arrived since.
    func isLast(_ transfer: Transfer) -> Bool { transfer.arrival == arrivalCount }

    /// Records that the loop is about to receive what has arrived on its connections.
    mutating func noteReceiving() {
        receiveCount &+= 1
        countAtReceiving = arrivalCount
    }

    /// Whether the loop has received since a transfer arrived.
    func hasReceived(since transfer: Transfer) -> Bool { transfer.arrival <= countAtReceiving }

    /// Adds a host, which is served in this turn or in the next one.
    mutating func add(_ host: HostConnections) {
        if host.isServedLater { return }
        host.isServedLater = true
        hosts.append(host)
    }

    mutating func beginTurn() {
        turn &+= 1
    }

    /// Takes the hosts, which are about to be served.
    mutating func takeHosts() -> [HostConnections] {
        defer { hosts.removeAll() }
        return hosts
    }
}
