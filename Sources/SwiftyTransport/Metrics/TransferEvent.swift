// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// What happens to a transfer, told while it happens and in this order.
///
/// A transport calls the handler on a thread of its own, which must not be blocked. A phase that does not happen (a name
/// lookup on a reused connection) has no event; progress may come any number of times.
public enum TransferEvent: Sendable, Hashable {
    /// What is told.
    public typealias Handler = @Sendable (TransferEvent) -> Void

    /// The connection is ready: new, with the time that its phases took, or one that an earlier request has opened.
    case connected(nameLookup: Duration, connect: Duration, tls: Duration, isReused: Bool)
    /// The request's last byte was handed to the connection.
    case requestSent
    /// The head of the final response has arrived, with the number of bytes of content that it announces, encoded as they
    /// come; `nil` if it announces none, as with chunks.
    case responseHead(statusCode: Int, contentLength: Int?)
    /// So many bytes of content were sent and received so far.
    case progress(sent: Int, received: Int)
}
