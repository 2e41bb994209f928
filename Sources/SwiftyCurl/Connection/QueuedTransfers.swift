// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The transfers of a group for which no connection is being made yet, in the order of their arrival.
struct QueuedTransfers {
    /// Those that take the next free connection.
    private(set) var sharing = TransferQueue()
    /// Those that demand a new one.
    private(set) var exclusive = TransferQueue()

    var count: Int { sharing.count + exclusive.count }
    var isEmpty: Bool { count == 0 }

    mutating func add(_ transfer: Transfer) {
        if transfer.requiresNewConnection { exclusive.add(transfer) } else { sharing.add(transfer) }
    }

    /// Adds transfers that have waited for connections being made, none of which demands a new one.
    mutating func add(_ transfers: [Transfer]) {
        sharing.add(transfers)
    }

    /// Removes a transfer. Has no effect if the transfer is not here.
    mutating func remove(_ transfer: Transfer) {
        sharing.remove(transfer)
        exclusive.remove(transfer)
    }

    /// The transfer that has waited the longest among those that take the next free connection.
    mutating func firstSharing() -> Transfer? { sharing.first() }

    /// The transfer that has waited the longest among those that demand a new connection.
    mutating func firstExclusive() -> Transfer? { exclusive.first() }

    /// The transfer that has waited the longest.
    mutating func first() -> Transfer? {
        guard let demanding = exclusive.first() else { return sharing.first() }
        guard let sharing = sharing.first() else { return demanding }
        return sharing.arrival < demanding.arrival ? sharing : demanding
    }
}
