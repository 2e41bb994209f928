// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The connections with work that is deferred to later in the turn, or to the next one.
struct DeferredWork {
    /// Those with output for the end of the turn.
    private var unflushed: [Connection] = []
    /// Those that have used their share of a turn and may hold more.
    private var unfinished: [Connection] = []
    /// Those whose sockets the system cannot watch any more.
    private var unwatched: [Connection] = []

    /// Whether the loop must not sleep.
    var isPresent: Bool { !unflushed.isEmpty || !unfinished.isEmpty || !unwatched.isEmpty }

    mutating func flushLater(_ connection: Connection) {
        unflushed.append(connection)
    }

    mutating func receiveLater(_ connection: Connection) {
        unfinished.append(connection)
    }

    mutating func loseLater(_ connection: Connection) {
        unwatched.append(connection)
    }

    var hasUnwatched: Bool { !unwatched.isEmpty }

    mutating func takeUnwatched() -> [Connection] {
        exchange(&unwatched)
    }

    mutating func takeUnflushed() -> [Connection] {
        unflushed.isEmpty ? [] : exchange(&unflushed)
    }

    mutating func takeUnfinished() -> [Connection] {
        unfinished.isEmpty ? [] : exchange(&unfinished)
    }

    private func exchange(_ connections: inout [Connection]) -> [Connection] {
        defer { connections = [] }
        return connections
    }
}
