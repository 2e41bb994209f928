// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// What is to happen at a later time, the earliest first. The seed decides the order of what happens at the same time.
struct Timeline {
    /// Names an entry, to take it back.
    struct ID: Sendable, Equatable {
        fileprivate let slot: Int
        fileprivate let generation: Int
    }

    private struct Entry {
        let time: Int64
        /// Random, so that entries of the same time have no order of their own.
        let tie: UInt64
        let slot: Int
        let generation: Int

        func isBefore(_ other: Entry) -> Bool {
            time == other.time ? tie < other.tie : time < other.time
        }
    }

    private struct Slot {
        var work: Work?
        var generation = 0
    }

    /// A heap.
    private var entries: [Entry] = []
    private var slots: [Slot] = []
    private var freeSlots: [Int] = []

    /// The time of the earliest entry; `nil` if there is none.
    var earliest: Int64? {
        mutating get {
            dropCancelled()
            return entries.first?.time
        }
    }

    mutating func insert(_ work: Work, at time: Int64, tie: UInt64) -> ID {
        let slot = freeSlots.popLast() ?? addSlot()
        slots[slot].work = work
        let generation = slots[slot].generation
        entries.append(Entry(time: time, tie: tie, slot: slot, generation: generation))
        siftUp(entries.count - 1)
        return ID(slot: slot, generation: generation)
    }

    /// Takes an entry back. Has no effect if it has happened.
    mutating func cancel(_ id: ID) {
        guard slots[id.slot].generation == id.generation else { return }
        _ = release(id.slot)
    }

    /// Takes the earliest entry.
    mutating func popFirst() -> Work? {
        dropCancelled()
        guard let first = entries.first else { return nil }
        removeFirst()
        return release(first.slot)
    }

    private mutating func addSlot() -> Int {
        slots.append(Slot())
        return slots.count - 1
    }

    private mutating func release(_ slot: Int) -> Work? {
        let work = slots[slot].work
        slots[slot].work = nil
        slots[slot].generation += 1
        freeSlots.append(slot)
        return work
    }

    private mutating func dropCancelled() {
        while let first = entries.first, slots[first.slot].generation != first.generation { removeFirst() }
    }

    private mutating func removeFirst() {
        entries.swapAt(0, entries.count - 1)
        entries.removeLast()
        siftDown()
    }

    private mutating func siftUp(_ start: Int) {
        var index = start
        while index > 0, entries[index].isBefore(entries[(index - 1) / 2]) {
            entries.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    private mutating func siftDown() {
        var index = 0
        while true {
            let left = 2 * index + 1
            guard left < entries.count else { return }
            let right = left + 1
            let child = right < entries.count && entries[right].isBefore(entries[left]) ? right : left
            guard entries[child].isBefore(entries[index]) else { return }
            entries.swapAt(index, child)
            index = child
        }
    }
}

/// One step of a simulation.
enum Work {
    case action(() -> Void)
    /// A part of a task.
    case job(UnownedJob)

    func run() {
        switch self {
        case .action(let action): action()
        case .job(let job): job.runSynchronously(on: Self.generic)
        }
    }

    /// The executor of tasks that have none of their own, so that a task goes on to its next function without a hop, as
    /// on the library's threads.
    // Safety: two empty words are how the library itself writes this executor.
    private static let generic = unsafeBitCast((UInt(0), UInt(0)), to: UnownedSerialExecutor.self)
}
