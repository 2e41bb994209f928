// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// Transfers in the order of their arrival. A transfer leaves the queue in constant time, wherever it stands.
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

    /// Takes the transfer that has waited the longest.
    mutating func popFirst() -> Transfer? {
        while emptyCount < slots.count {
            if let transfer = slots[emptyCount] {
                remove(transfer)
                return transfer
            }
            emptyCount += 1
        }
        return nil
    }

    /// Takes a transfer out. Has no effect if the transfer is not in this queue.
    mutating func remove(_ transfer: Transfer) {
        let index = transfer.queuePosition - removedCount
        guard slots.indices.contains(index), slots[index] === transfer else { return }
        slots[index] = nil
        count -= 1
        if count == 0 { emptyCount = slots.count }
        if emptyCount > 32, emptyCount > slots.count / 2 { compact() }
    }

    /// Takes out the transfers that fulfil the condition, in their order.
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
