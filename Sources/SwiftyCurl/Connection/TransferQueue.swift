// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// Transfers in the order of their arrival. A transfer is removed in constant time, wherever it is.
struct TransferQueue {
    private var slots: [Transfer?] = []
    /// The number of slots that were removed from the beginning.
    private var removedCount = 0
    /// The number of slots at the beginning that are known to be empty.
    private var emptyCount = 0
    /// The number of transfers.
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    mutating func append(_ transfer: Transfer) {
        transfer.queuePosition = removedCount + slots.count
        slots.append(transfer)
        count += 1
    }

    /// Prepends transfers, which have waited longer than all others.
    mutating func prepend(_ transfers: [Transfer]) {
        let others = all
        self = TransferQueue()
        for transfer in transfers + others { append(transfer) }
    }

    /// Inserts a transfer before those that have arrived later.
    mutating func insert(_ transfer: Transfer) {
        let others = all
        let index = others.firstIndex { $0.arrival > transfer.arrival } ?? others.endIndex
        self = TransferQueue()
        for transfer in others[..<index] + [transfer] + others[index...] { append(transfer) }
    }

    /// The transfer that has waited the longest.
    mutating func first() -> Transfer? {
        while emptyCount < slots.count {
            if let transfer = slots[emptyCount] { return transfer }
            emptyCount += 1
        }
        return nil
    }

    /// Removes and returns the transfer that has waited the longest.
    mutating func popFirst() -> Transfer? {
        guard let transfer = first() else { return nil }
        remove(transfer)
        return transfer
    }

    /// Removes a transfer. Has no effect if the transfer is not in this queue.
    mutating func remove(_ transfer: Transfer) {
        let index = transfer.queuePosition - removedCount
        guard slots.indices.contains(index), slots[index] === transfer else { return }
        slots[index] = nil
        count -= 1
        if count == 0 { emptyCount = slots.count }
        if emptyCount > 32, emptyCount > slots.count / 2 { compact() }
    }

    /// Removes and returns the transfers that fulfil the condition, in their order.
    mutating func removeAll(where isRemoved: (Transfer) -> Bool) -> [Transfer] {
        let removed = slots.compactMap { $0 }.filter(isRemoved)
        for transfer in removed { remove(transfer) }
        return removed
    }

    /// The transfers, in their order.
    var all: [Transfer] { slots.compactMap { $0 } }

    func contains(_ transfer: Transfer) -> Bool {
        let index = transfer.queuePosition - removedCount
        return slots.indices.contains(index) && slots[index] === transfer
    }

    private mutating func compact() {
        slots.removeFirst(emptyCount)
        removedCount += emptyCount
        emptyCount = 0
    }
}
