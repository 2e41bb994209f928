// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// Transfers in the order of their arrival. A transfer is removed in constant time, wherever it is.
struct TransferQueue {
    private var slots: [Transfer?] = []
    /// The number of slots that were removed from the beginning.
    private var removedCount = 0
    /// The number of slots at the beginning that are known to be empty.
    private var emptyCount = 0
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    /// Adds a transfer, which is not necessarily the last that has arrived: it may be one that is repeated.
    mutating func add(_ transfer: Transfer) {
        if let last = last(), last.arrival > transfer.arrival { add([transfer]) } else { append(transfer) }
    }

    /// Adds transfers, each after those that have arrived before it.
    mutating func add(_ transfers: [Transfer]) {
        // Thousands of others may be here.
        if transfers.isEmpty { return }
        let sorted = (all + transfers).sorted { $0.arrival < $1.arrival }
        self = TransferQueue()
        for transfer in sorted { append(transfer) }
    }

    private mutating func append(_ transfer: Transfer) {
        transfer.queuePosition = removedCount + slots.count
        slots.append(transfer)
        count += 1
    }

    /// The transfer that has waited the longest.
    mutating func first() -> Transfer? {
        while emptyCount < slots.count {
            if let transfer = slots[emptyCount] { return transfer }
            emptyCount += 1
        }
        return nil
    }

    /// The transfer that has waited the shortest.
    func last() -> Transfer? { slots.last { $0 != nil } ?? nil }

    /// Removes a transfer. Has no effect if the transfer is not in this queue.
    mutating func remove(_ transfer: Transfer) {
        let index = transfer.queuePosition - removedCount
        guard slots.indices.contains(index), slots[index] === transfer else { return }
        slots[index] = nil
        count -= 1
        if count == 0 { emptyCount = slots.count }
        if emptyCount > 32, emptyCount > slots.count / 2 { compact() }
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
