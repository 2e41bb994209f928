// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTransport

/// The repetitions of one request on new or other connections: the end of an attempt in, what follows out.
///
/// It lasts as long as the transfer; what a repetition must not inherit is in ``TransferAttempt``.
struct Repetition {
    /// What follows an attempt that the server has not processed.
    enum Step: Equatable {
        /// Another attempt.
        case again
        /// The failure: the content cannot be sent again.
        case contentIsGone
        /// The failure: the server has refused the request this many times.
        case refused(times: Int)
    }

    /// The number of times that a request is repeated because the server has not processed it.
    private static let unprocessedLimit = 5
    /// The number of these repetitions that may use a kept connection, which the server can close or end each time.
    private static let unprocessedReuseLimit = 2
    /// The number of times that it is repeated because its connection has ended, if the server had no room in between.
    private static let lossLimit = 3
    /// The number of times that it is repeated without being counted because the server had no room.
    private static let roomlessLimit = 20

    /// Whether the next connection must be a new one.
    private(set) var requiresNewConnection: Bool
    /// Whether an earlier attempt may have reached the server.
    private(set) var mayHaveBeenSent = false
    private let demandsNewConnection: Bool
    private var unprocessedCount: UInt8 = 0
    private var roomlessCount: UInt8 = 0
    private var lossCount: UInt8 = 0
    /// Whether the loss of the next connection is final.
    private var isLossFinal = false
    private var hasMetSpeaker = false
    private var hasDroppedExpectation = false

    /// - Parameter demandsNewConnection: Whether the caller demands a new connection for each attempt.
    init(demandsNewConnection: Bool) {
        self.demandsNewConnection = demandsNewConnection
        requiresNewConnection = demandsNewConnection
    }

    /// The number of repetitions after losses and refusals, without those that have only waited for room.
    var count: Int { Int(unprocessedCount) + Int(lossCount) + (hasDroppedExpectation ? 1 : 0) }

    /// A kept connection has ended before a byte of the response: the request is repeated once, on a new connection,
    /// if that is safe. Returns whether it is.
    mutating func connectionIsLost(
        isReused: Bool,
        sent: SwiftyError.SentState,
        isIdempotent: Bool,
        isContentRepeatable: Bool
    ) -> Bool {
        guard isReused, !isLossFinal, isContentRepeatable, sent == .notSent || isIdempotent else { return false }
        isLossFinal = true
        lossCount += 1
        mayHaveBeenSent = mayHaveBeenSent || sent != .notSent
        requiresNewConnection = true
        return true
    }

    /// The server spoke first on a connection that was made for the request, of which nothing was sent. It gets another
    /// one, once. Returns whether it does.
    mutating func serverSpokeFirst() -> Bool {
        if hasMetSpeaker { return false }
        hasMetSpeaker = true
        requiresNewConnection = true
        return true
    }

    /// The server does not support the expectation of the request, whose content was not sent (RFC 9110 §15.5.18).
    mutating func expectationFailed() {
        (requiresNewConnection, hasDroppedExpectation) = (true, true)
    }

    /// The server has not processed the request: it may be repeated with any method (RFC 9113 §8.7).
    ///
    /// - Parameter isReused: Whether the connection was kept from an earlier request.
    mutating func isUnprocessed(isReused: Bool, isContentRepeatable: Bool) -> Step {
        if unprocessedCount >= Self.unprocessedLimit { return .refused(times: Int(unprocessedCount) + 1) }
        guard isContentRepeatable else { return .contentIsGone }
        if isReused, unprocessedCount >= Self.unprocessedReuseLimit { requiresNewConnection = true }
        unprocessedCount += 1
        return .again
    }

    /// The server has refused the request only because too many were begun before it announced its limit. The request
    /// waits for room, which does not count as an attempt, unless it happens too often.
    ///
    /// A request whose caller demands a new connection cannot wait for room on a shared one: it counts as unprocessed.
    /// The demand that comes from an earlier loss is satisfied by now, and is dropped.
    mutating func serverHasNoRoom(isContentRepeatable: Bool) -> Step {
        requiresNewConnection = demandsNewConnection
        if lossCount < Self.lossLimit { isLossFinal = false }
        guard !requiresNewConnection, waitsForRoom() else {
            return isUnprocessed(isReused: false, isContentRepeatable: isContentRepeatable)
        }
        return isContentRepeatable ? .again : .contentIsGone
    }

    /// Counts that the request waits for room once more. Returns `false` if it has done so too often.
    mutating func waitsForRoom() -> Bool {
        roomlessCount = min(roomlessCount + 1, UInt8(Self.roomlessLimit + 1))
        return roomlessCount <= Self.roomlessLimit
    }
}
