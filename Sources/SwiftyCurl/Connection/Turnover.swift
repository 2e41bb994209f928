// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// How fast the connections of a group become free for the transfers that wait.
struct Turnover {
    /// The number of turns in which the transfers that wait should get a connection.
    private static let patience = 8

    private var count = 0
    private var receive = 0

    /// Records that a connection which became free has taken a transfer that waited.
    ///
    /// - Parameter receive: The number of times that the loop has received.
    mutating func note(in receive: Int) {
        if self.receive != receive { count = 0 }
        self.receive = receive
        count += 1
    }

    /// Whether the transfers that are queued need no new connections: at this speed, those in use become free before a
    /// loop that is so busy could make others.
    func suffices(for queuedCount: Int, in receive: Int) -> Bool {
        self.receive == receive && count * Self.patience >= queuedCount
    }
}
