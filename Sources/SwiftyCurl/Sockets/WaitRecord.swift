// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// What the waits of a loop tell about its sockets: event in, decision out.
///
/// A wait that has ended a moment ago would have reported a socket with something to read. So a connection that is
/// about to be used again needs no look at its own socket, which would cost a system call for each request.
struct WaitRecord {
    /// The number of waits so far. What happens to a socket is compared with it: only a later wait tells of it.
    private(set) var count = 0
    /// The end of the time in which the last wait counts.
    private var expiry = Int64.min

    /// The time for which a wait counts, in nanoseconds.
    private let validity: Int64

    /// About as long as it takes from a look at a socket to the end of the turn, at which the request is sent.
    static let usualValidity: Int64 = 200_000

    init(validity: Int64 = usualValidity) {
        self.validity = validity
    }

    /// Records a wait that has ended. It tells nothing until its events are handled, since each of them may be that of
    /// any connection.
    mutating func beginEvents() {
        count += 1
        expiry = .min
    }

    /// Records that the events of the wait are handled.
    ///
    /// - Parameters:
    ///   - end: The time at which the wait has ended.
    ///   - isComplete: Whether these were the events of all sockets; see ``SocketEvents``.
    mutating func endEvents(ofWaitUntil end: Int64, isComplete: Bool) {
        if isComplete { expiry = end &+ validity }
    }

    /// Whether a socket has nothing to read.
    ///
    /// - Parameter count: The number of waits at which that was last unknown: the socket was not watched before, or not
    ///   read to its end.
    func isSilent(unknownSince count: Int, at now: Int64) -> Bool {
        count < self.count && now < expiry
    }
}
