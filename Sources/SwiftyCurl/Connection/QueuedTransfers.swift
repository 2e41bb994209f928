// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The transfers of a group for which no connection is being made yet, in the order of their arrival.
struct QueuedTransfers {
    /// Those that take the next free connection.
    private var sharing = TransferQueue()
    /// Those that demand a new one.
    private var exclusive = TransferQueue()

    var isEmpty: Bool { sharing.isEmpty && exclusive.isEmpty }

    mutating func append(_ transfer: Transfer) {
        if transfer.requiresNewConnection { exclusive.append(transfer) } else { sharing.append(transfer) }
    }

    /// Inserts a transfer that is repeated, at its original place in the order.
    mutating func insert(_ transfer: Transfer) {
        if transfer.requiresNewConnection { exclusive.insert(transfer) } else { sharing.insert(transfer) }
    }

    /// Prepends transfers whose connection did not carry them.
    mutating func prepend(_ transfers: [Transfer]) {
        sharing.prepend(transfers)
    }

    /// Removes a transfer. Has no effect if the transfer is not here.
    mutating func remove(_ transfer: Transfer) {
        sharing.remove(transfer)
        exclusive.remove(transfer)
    }

    /// The transfer that has waited the longest among those that take the next free connection.
    mutating func firstSharing() -> Transfer? { sharing.first() }

    /// The transfer that has waited the longest.
    mutating func first() -> Transfer? {
        guard let demanding = exclusive.first() else { return sharing.first() }
        guard let sharing = sharing.first() else { return demanding }
        return sharing.arrival < demanding.arrival ? sharing : demanding
    }
}
