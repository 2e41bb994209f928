// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// One credential over time: the one in force, those before it, and how often in a row a new one was refused.
struct CredentialState: Sendable {
    /// What a refused credential means.
    enum Rejection: Equatable {
        /// It is none of ours: nothing is to be done.
        case foreign
        /// It was replaced or dropped before: the request may be sent with the one in force.
        case outdated
        /// It was in force and is dropped.
        case dropped
        /// It was in force and stays: too many in a row were refused soon after they had been obtained.
        case givenUp
    }

    /// Credentials that are refused at that age at most are counted together.
    static let freshness: TimeInterval = 60
    /// How many credentials of the past are known again: loads that are under way may have been sent with them.
    private static let memory = 8

    /// The credential in force.
    private(set) var current: String?
    private var past: [String] = []

    /// What a request is sent with that was let through: the credential in force, or the one that was dropped since. That one
    /// is refused like the request before it, which is how the sender learns that it must wait again.
    var lastKnown: String? { current ?? past.last }

    private var obtained = Date.distantPast
    private var streak = 0
    private let limit: Int

    /// - Parameter limit: how many in a row may be dropped; 0 for a credential that cannot be replaced.
    init(limit: Int) {
        self.limit = limit
    }

    /// Puts a new credential in force.
    mutating func obtain(_ credential: String, at now: Date) {
        drop()
        past.removeAll { $0 == credential }
        current = credential
        obtained = now
    }

    /// Puts the credential out of force.
    mutating func drop() {
        guard let current else { return }
        past = (past + [current]).suffix(Self.memory)
        self.current = nil
    }

    /// Forgets everything, as when another person logs in.
    mutating func forget() {
        self = CredentialState(limit: limit)
    }

    /// Takes notice that a server refused a credential.
    mutating func reject(_ credential: String, at now: Date) -> Rejection {
        guard credential == current else { return past.contains(credential) ? .outdated : .foreign }
        let isFresh = now.timeIntervalSince(obtained) < Self.freshness
        if streak >= limit, isFresh || limit <= 0 { return .givenUp }
        streak = isFresh ? streak + 1 : 1
        drop()
        return .dropped
    }
}
