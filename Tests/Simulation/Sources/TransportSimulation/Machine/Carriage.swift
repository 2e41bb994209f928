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
    /// The longest time without activity for which neither the reader nor the source was waited for.
    private(set) var longestSilence: Int64 = 0
    /// The time from the moment at which the server had what it waits for to the first byte.
    private(set) var firstByteDelay: Int64 = 0

    init(load: Int, on line: Line, at now: Int64) {
        self.load = load
        self.line = line
        (began, lastActivity) = (now, now)
    }

    /// Bytes are sent or received.
    func note(_ caller: Caller?, isReceived: Bool, at now: Int64) {
        if caller?.isTransferOver ?? true { return }
        longestSilence = max(longestSilence, silence(of: caller, at: now))
        if isReceived, firstByte == nil {
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
