// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// Loads of one priority that wait for one host, in the order in which they came.
///
/// A load that leaves early stays in the array as a gap, which is skipped later; gaps never outnumber the loads by much.
struct WaitingLine {
    struct Entry {
        let number: Int
        let since: Duration
    }

    /// How often others went first since this line moved.
    var passedOver = 0
    private(set) var count = 0
    private var entries: [Entry] = []
    private var head = 0

    mutating func append(_ entry: Entry) {
        if count == 0 { self = WaitingLine() }
        entries.append(entry)
        count += 1
    }

    /// The first load that still waits.
    mutating func first(_ isWaiting: (Int) -> Bool) -> Entry? {
        while head < entries.count {
            if isWaiting(entries[head].number) { return entries[head] }
            head += 1
        }
        return nil
    }

    /// Counts off a load that has left from anywhere.
    mutating func leave(_ isWaiting: (Int) -> Bool) {
        count -= 1
        guard entries.count > 2 * count + 32 else { return }
        entries = entries[head...].filter { isWaiting($0.number) }
        head = 0
    }
}
