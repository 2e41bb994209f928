// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The progress of a load: the numbers of bytes of content that were transferred, before any decoding.
///
/// The numbers never decrease, even if a request is sent again. The content of redirects and of error responses does
/// not count.
public struct TransferProgress: Sendable, Hashable {
    /// The number of bytes of the request's content that were sent.
    public let sent: Int
    /// The number of bytes of the request's content; `nil` if it is unknown, 0 without content.
    public let bytesToSend: Int?
    /// The number of bytes of the response's content that have arrived; with a download that was resumed, including
    /// those that were on disk before.
    public let received: Int
    /// The number of bytes of the response's content; `nil` if it is unknown.
    public let bytesToReceive: Int?

    /// Makes a progress.
    public init(sent: Int, bytesToSend: Int?, received: Int, bytesToReceive: Int?) {
        self.sent = sent
        self.bytesToSend = bytesToSend
        self.received = received
        self.bytesToReceive = bytesToReceive
    }

    /// The completed part, 0...1: of the request's content if it has any, or else of the response's; `nil` if the
    /// number of bytes is unknown.
    public var fraction: Double? {
        bytesToSend == 0 ? Self.fraction(received, of: bytesToReceive) : Self.fraction(sent, of: bytesToSend)
    }

    private static func fraction(_ part: Int, of whole: Int?) -> Double? {
        guard let whole else { return nil }
        return whole > 0 ? min(1, Double(part) / Double(whole)) : 1
    }
}
