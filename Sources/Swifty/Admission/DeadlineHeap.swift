// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// A binary heap of the times at which a load or a host must be examined, the earliest first.
struct DeadlineHeap {
    enum Subject {
        /// The limit of a waiting load.
        case load(Int)
        /// The end of a hold on a host.
        case host(String)
    }

    private struct Entry {
        let time: Duration
        let subject: Subject
    }

    private var heap: [Entry] = []

    var count: Int { heap.count }
    var first: (time: Duration, subject: Subject)? { heap.first.map { ($0.time, $0.subject) } }

    mutating func insert(_ time: Duration, _ subject: Subject) {
        heap.append(Entry(time: time, subject: subject))
        siftUp(heap.count - 1)
    }

    mutating func removeFirst() {
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        siftDown(0)
    }

    /// Removes the deadlines that no longer apply.
    mutating func keep(_ isCurrent: (Duration, Subject) -> Bool) {
        heap = heap.filter { isCurrent($0.time, $0.subject) }
        for index in (0..<heap.count / 2).reversed() { siftDown(index) }
    }

    private mutating func siftUp(_ index: Int) {
        var index = index
        while index > 0, heap[index].time < heap[(index - 1) / 2].time {
            heap.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    private mutating func siftDown(_ index: Int) {
        var index = index
        while true {
            let children = (2 * index + 1)..<min(2 * index + 3, max(heap.count, 2 * index + 1))
            guard let least = children.min(by: { heap[$0].time < heap[$1].time }),
                heap[least].time < heap[index].time
            else { return }
            heap.swapAt(index, least)
            index = least
        }
    }
}
