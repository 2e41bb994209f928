// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// One load on one connection that speaks HTTP/1.1, as the client's side of the line sees it.
final class Carriage {
    let load: Int
    unowned let line: Line
    let began: Int64
    /// The time of the last byte that was sent or received, and of the first one that was received.
    private(set) var lastActivity: Int64
    private(set) var firstByte: Int64?
    /// The number of bytes that were received.
    private(set) var receivedCount = 0
    /// The longest time without activity for which neither the reader nor the source was waited for.
    private(set) var longestSilence: Int64 = 0
    /// The time from the moment at which the server had what it waits for to the first byte.
    private(set) var firstByteDelay: Int64 = 0
    /// What the client left when it closed the connection; `nil` while it has not.
    private(set) var closing: Closing?

    init(load: Int, on line: Line, at now: Int64) {
        self.load = load
        self.line = line
        (began, lastActivity) = (now, now)
    }

    /// The client closes the connection, with what it has not read, and perhaps with room for what it could send.
    func close(_ caller: Caller?, unreadSince: Int64?, writableSince: Int64?, at now: Int64) {
        let asked = (caller?.sources.busy ?? 0) > 0 ? caller?.sources.asked.last : nil
        closing = Closing(time: now, unreadSince: unreadSince, writableSince: writableSince, sourceAskedAt: asked)
    }

    /// Bytes are sent or received.
    func note(_ caller: Caller?, received count: Int, at now: Int64) {
        receivedCount += count
        if caller?.isTransferOver ?? true { return }
        longestSilence = max(longestSilence, silence(of: caller, at: now))
        if count > 0, firstByte == nil {
            firstByteDelay = delay(of: caller, at: now)
            firstByte = now
        }
        lastActivity = now
    }

    /// The time since anything has happened that the limit for silence starts from.
    func silence(of caller: Caller?, at now: Int64) -> Int64 {
        guard let caller, caller.sources.busy == 0, !caller.mayHoldBack else { return 0 }
        return now - max(lastActivity, caller.sources.lastAnswer, caller.lastPart)
    }

    /// The time since the server has had what it waits for.
    func delay(of caller: Caller?, at now: Int64) -> Int64 {
        guard let caller, firstByte == nil, caller.sources.busy == 0 else { return 0 }
        let base = max(began, caller.sources.lastAnswer)
        // The loop asks a source, which may have answered ahead, when everything before is sent.
        if case .source = caller.plan.content { return now - max(base, lastActivity) }
        return now - base
    }
}

extension Carriage {
    /// The end of the connection, as the client's side of the line sees it.
    struct Closing {
        let time: Int64
        /// Since when something lay there that the client has not read; `nil` if it has read everything.
        let unreadSince: Int64?
        /// Since when the client could send; `nil` if it could not.
        let writableSince: Int64?
        /// The time at which the source was asked that has not answered.
        let sourceAskedAt: Int64?

        /// Whether nothing but the source has been waited for, for longer than this.
        func isAwaitingSource(for duration: Int64) -> Bool {
            guard let writableSince, let sourceAskedAt else { return false }
            return time - max(writableSince, sourceAskedAt) > duration
        }
    }
}
