// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The open connections of a loop that carry several transfers, by the numbers of the attempts that made them.
struct SharedConnections {
    private var connections: [Int: Connection] = [:]

    /// The connections in the order in which they were begun.
    var inOrder: [Connection] { connections.sorted { $0.key < $1.key }.map(\.value) }

    func contains(_ connection: Connection) -> Bool { connections[connection.number] === connection }

    mutating func add(_ connection: Connection) {
        connections[connection.number] = connection
    }

    mutating func remove(_ connection: Connection) {
        connections[connection.number] = nil
    }
}
