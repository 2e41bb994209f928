// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// Since when the client could have read from a line.
struct Readability {
    /// `nil` if there is nothing to read.
    private(set) var since: Int64?

    /// Bytes, or the end, have come.
    mutating func noteArrival(at now: Int64) {
        if since == nil { since = now }
    }

    /// The client has read.
    mutating func noteRead(isMoreLeft: Bool, at now: Int64) {
        since = isMoreLeft ? now : nil
    }

    /// How long the client has left it there, although its reader was waiting.
    func delay(ofReaderWaitingSince waiting: Int64?, at now: Int64) -> Int64 {
        guard let since, let waiting else { return 0 }
        return now - max(since, waiting)
    }
}
