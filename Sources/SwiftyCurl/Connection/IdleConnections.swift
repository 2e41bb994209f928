// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// All idle connections of a loop, the one that has been idle for the longest time first.
struct IdleConnections {
    /// A connection and its period of idleness, so that an entry of an earlier period is recognized.
    private struct Entry {
        let connection: Connection
        let period: Int
    }

    private var entries: [Entry] = []
    /// The number of entries at the beginning that are out of date.
    private var staleCount = 0
    private var periodCount = 0
    private(set) var count = 0

    mutating func append(_ connection: Connection) {
        periodCount += 1
        connection.idlePeriod = periodCount
        entries.append(Entry(connection: connection, period: periodCount))
        count += 1
        if entries.count > 64, entries.count > 2 * count { compact() }
    }

    mutating func remove(_ connection: Connection) {
        guard connection.idlePeriod != nil else { return }
        connection.idlePeriod = nil
        count -= 1
    }

    /// The connections, the one that has been idle for the longest time first.
    var all: [Connection] {
        entries.dropFirst(staleCount).filter { $0.connection.idlePeriod == $0.period }.map(\.connection)
    }

    /// The connection that has been idle for the longest time.
    mutating func longest() -> Connection? {
        while staleCount < entries.count {
            let entry = entries[staleCount]
            if entry.connection.idlePeriod == entry.period { return entry.connection }
            staleCount += 1
        }
        return nil
    }

    private mutating func compact() {
        entries.removeAll { $0.connection.idlePeriod != $0.period }
        staleCount = 0
    }
}
