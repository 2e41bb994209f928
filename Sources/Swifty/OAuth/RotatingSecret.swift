// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A secret that is replaced from time to time: the current value, recent values, and the number of new values that
/// were refused in a row.
struct RotatingSecret: Sendable {
    /// The effect of a server's refusal of a value.
    enum Rejection: Equatable {
        /// The value is not one of ours; ignored.
        case foreign
        /// The value was replaced or dropped earlier: the request may be sent again with the current one.
        case outdated
        /// The value was current, and is dropped now.
        case dropped
        /// The value stays current: too many in a row were refused soon after they had been obtained.
        case givenUp

        /// Whether the request may be sent again, with another value.
        var allowsRetry: Bool { self == .outdated || self == .dropped }
    }

    /// The age below which refused values count as refused in a row, in seconds.
    static let freshness: TimeInterval = 60
    /// The number of earlier values that are recognized, because loads in flight may carry them.
    private static let memory = 8

    /// The current value; `nil` if it was dropped, or if there was none yet.
    private(set) var current: String?
    private var past: [String] = []

    /// The current value, or else the one that was dropped last.
    ///
    /// A request that the constraint has let through is sent even if the value was dropped since. The server refuses
    /// it, and the load then waits for the constraint again.
    var lastKnown: String? { current ?? past.last }

    private var obtained = Date.distantPast
    private var streak = 0
    private let limit: Int

    /// - Parameter limit: The number of values that may be dropped in a row; 0 for a value that cannot be replaced.
    init(limit: Int) {
        self.limit = limit
    }

    /// Sets the current value.
    mutating func obtain(_ value: String, at now: Date) {
        drop()
        past.removeAll { $0 == value }
        current = value
        obtained = now
    }

    mutating func drop() {
        guard let current else { return }
        past = (past + [current]).suffix(Self.memory)
        self.current = nil
    }

    /// Forgets all values, for a new login.
    mutating func forget() {
        self = RotatingSecret(limit: limit)
    }

    /// Records that a server refused a value, and drops it if it is current.
    mutating func reject(_ value: String, at now: Date) -> Rejection {
        guard value == current else { return past.contains(value) ? .outdated : .foreign }
        let isFresh = now.timeIntervalSince(obtained) < Self.freshness
        if streak >= limit, isFresh || limit <= 0 { return .givenUp }
        streak = isFresh ? streak + 1 : 1
        drop()
        return .dropped
    }
}
