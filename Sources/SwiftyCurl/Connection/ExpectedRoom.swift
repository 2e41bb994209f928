// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The number of transfers that a new connection of a group can carry, as far as is known: as many as the last one.
struct ExpectedRoom {
    /// The number that a connection may be able to carry.
    private let maximum: Int
    /// The number of streams that the server has allowed on its last connection over HTTP/2; `nil` until then.
    private(set) var streamLimit: Int?
    /// The expected number: several, unless the server has chosen HTTP/1.1.
    private(set) var count: Int

    init(_ maximum: Int) {
        (self.maximum, count) = (maximum, maximum)
    }

    /// Records how many streams the server allows.
    mutating func noteStreamLimit(_ limit: Int) {
        streamLimit = limit
        noteConnection(isShared: true)
    }

    /// Records a connection that was made.
    mutating func noteConnection(isShared: Bool) {
        count = isShared ? min(maximum, max(1, streamLimit ?? .max)) : 1
    }
}
