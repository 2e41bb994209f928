// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// Tracks whether a peer is alive, by the bytes that it sends, and which reset streams it may not know of yet.
///
/// Times are monotonic nanoseconds. Nothing is sent here: the codec sends a PING when it is told to.
struct PeerWatch {
    /// What is to be done about a silent peer.
    enum Action: Equatable {
        /// Do nothing before this time; `.max` if there is nothing to wait for.
        case wait(Int64)
        case ping
        /// The peer did not answer a PING in time.
        case end
    }

    /// The time since which a sign of life is expected: that of the last one, or the beginning of the first current
    /// request.
    private var expectedSince: Int64 = 0
    /// The time of a PING since which nothing was received.
    private var pingSent: Int64?
    /// Whether a request reached a limit, and there was no sign since. Further requests go elsewhere until there is
    /// one: each of them would have to wait for a silence itself.
    private(set) var isSuspected = false

    /// For each PING without an answer, the number of resets before it that no other PING covers.
    private var covered: [Int] = []
    /// The number of resets that no PING covers.
    private var uncovered = 0
    /// Whether a response has made progress since the last PING for a reset. Servers end connections with many PINGs.
    private var mayPingForReset = true

    /// The number of streams that were reset, and that the peer may still count as open.
    var resetCount: Int { covered.reduce(uncovered, +) }

    /// Records the beginning of a request.
    ///
    /// - Parameter isFirst: Whether no other one is under way.
    mutating func begin(isFirst: Bool, at now: Int64) {
        if isFirst, pingSent == nil { expectedSince = now }
    }

    /// Records that bytes were received.
    mutating func receive(at now: Int64) {
        (expectedSince, pingSent, isSuspected) = (now, nil, false)
    }

    /// Records that a part of a response was received.
    mutating func noteResponse() {
        mayPingForReset = true
    }

    /// Records that the client has reset a stream.
    ///
    /// - Parameter isOverdue: Whether its request has reached a limit.
    /// - Returns: Whether a PING is to be sent.
    mutating func reset(isOverdue: Bool) -> Bool {
        if isOverdue { isSuspected = true }
        // Only a sign of life ends a suspicion, so a PING must ask for one.
        guard isSuspected && pingSent == nil || covered.isEmpty && mayPingForReset else {
            // Without a PING, nothing would show when the peer knows.
            if !covered.isEmpty { uncovered += 1 }
            return false
        }
        uncovered += 1
        mayPingForReset = false
        return true
    }

    /// Records that a PING is sent.
    mutating func ping(at now: Int64) {
        covered.append(uncovered)
        uncovered = 0
        pingSent = pingSent ?? now
    }

    /// Handles the answer to a PING: the peer knows what was sent before it. Returns whether another one is to be sent.
    mutating func receiveAnswer() -> Bool {
        if !covered.isEmpty { covered.removeFirst() }
        guard covered.isEmpty, uncovered > 0 else { return false }
        if !mayPingForReset { uncovered = 0 }
        return mayPingForReset
    }

    /// What is to be done now.
    ///
    /// - Parameters:
    ///   - interval: The time after which a silent peer is sent a PING, and after which a PING without any reply ends
    ///     the connection.
    ///   - hasRequests: Whether a sign of life is expected at all.
    func action(interval: Int64, hasRequests: Bool, at now: Int64) -> Action {
        guard hasRequests || pingSent != nil else { return .wait(.max) }
        let (end, overflow) = (pingSent ?? expectedSince).addingReportingOverflow(interval)
        if overflow { return .wait(.max) }
        if end > now { return .wait(end) }
        return pingSent == nil ? .ping : .end
    }
}
