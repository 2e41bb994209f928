// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The latest loads, within limits. Beyond them, an eighth leaves at once, so that a load costs the same however many
/// are kept.
struct KeptLoads {
    private let limits: Inspector.Limits
    /// In the order of their numbers, without a gap.
    private var loads: [InspectedLoad] = []
    private var bytes = 0
    private(set) var lastNumber = 0
    /// The number of changes so far.
    private(set) var revision = 0

    init(_ limits: Inspector.Limits) {
        self.limits = limits
    }

    /// The loads, the earliest first.
    var latest: ArraySlice<InspectedLoad> { loads.suffix(max(limits.loads, 1)) }

    /// A load by its number; `nil` if it is not kept.
    subscript(number: Int) -> InspectedLoad? { index(of: number).map { loads[$0] } }

    /// Adds a load, and returns its number.
    mutating func append(_ load: InspectedLoad) -> Int {
        (lastNumber, revision) = (lastNumber + 1, revision + 1)
        var load = load
        (load.number, load.revision) = (lastNumber, revision)
        loads.append(load)
        bytes += load.size
        let count = max(limits.loads, 1)
        if loads.count - count > count / 8 { removeFirst(loads.count - count) }
        if bytes > limits.bytes { shrink() }
        return lastNumber
    }

    /// Changes a load, if it is still kept.
    mutating func update(_ number: Int, _ change: (inout InspectedLoad) -> Void) {
        guard let index = index(of: number) else { return }
        bytes -= loads[index].size
        change(&loads[index])
        revision += 1
        loads[index].revision = revision
        bytes += loads[index].size
        if bytes > limits.bytes { shrink() }
    }

    mutating func removeAll() {
        (loads, bytes) = ([], 0)
    }

    private func index(of number: Int) -> Int? {
        guard let first = loads.first?.number, first <= number, number <= lastNumber else { return nil }
        return number - first
    }

    /// Removes the earliest loads, but not the last one, until the others have seven eighths of the limit.
    private mutating func shrink() {
        var (rest, count) = (bytes, 0)
        while rest > limits.bytes / 8 * 7, count < loads.count - 1 {
            rest -= loads[count].size
            count += 1
        }
        removeFirst(count)
    }

    private mutating func removeFirst(_ count: Int) {
        bytes -= loads.prefix(count).reduce(0) { $0 + $1.size }
        loads.removeFirst(count)
    }
}
