// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import struct Foundation.Data

/// A response whose head has arrived, and whose content is read while it arrives.
public struct StreamedResponse: Sendable {
    /// The status and the header fields.
    public let head: ResponseHead
    /// The content.
    public let content: any StreamedContent

    /// Makes a response from its parts.
    public init(head: ResponseHead, content: any StreamedContent) {
        self.head = head
        self.content = content
    }
}

/// The content of a response, as a transport delivers it.
///
/// The transport receives no more than a bounded part ahead of the reader: a slow reader slows the server down. A
/// transport ends the transfer when the last reference to the content is released.
public protocol StreamedContent: AnyObject, Sendable {
    /// Waits for the next part, which is not empty; `nil` once the content is complete.
    ///
    /// Truncated content never ends in `nil`. One task reads at a time; a call during another one fails with
    /// ``SwiftyError/Code/transportFailed``. Cancelling the reading task cancels the transfer. Runs on the caller's
    /// actor, so that a part that has arrived costs no change of executors.
    ///
    /// - Throws: ``SwiftyError`` with the stage that failed; the same error on every further call.
    nonisolated(nonsending) func next() async throws(SwiftyError) -> Data?

    /// Calls a closure once, when the transfer has ended, even without a reader; immediately if it already has.
    ///
    /// An unread stream whose transfer has ended must not hold back other loads, nor a shutdown. Content that wraps
    /// other content passes the closure on to it. A further call may replace the closure of an earlier one.
    ///
    /// - Parameter handler: Called on any thread, with the error that a reader gets after what has arrived; `nil` for
    ///   complete content. It does not block.
    /// - Returns: `false` if this content cannot tell, which is the default: its end is then known when it is read.
    func whenEnded(_ handler: @escaping @Sendable (SwiftyError?) -> Void) -> Bool

    /// Ends the transfer early: the connection is closed, or its stream reset. Has no effect after the end.
    func cancel()

    /// The trailer fields (RFC 9110 §6.5), once the content is complete; empty until then, and if there are none.
    var trailers: HTTPFields { get }

    /// The measurements of the transfer, once it has ended; empty until then.
    var metrics: TransferMetrics { get }
}

extension StreamedContent {
    /// Returns `false`, and calls nothing.
    public func whenEnded(_ handler: @escaping @Sendable (SwiftyError?) -> Void) -> Bool { false }

    /// Reads to the end.
    package nonisolated(nonsending) func collect() async throws(SwiftyError) -> Data {
        var bytes = Data()
        while let part = try await next() { bytes += part }
        return bytes
    }
}

extension StreamedResponse {
    /// Reads the content to its end.
    package nonisolated(nonsending) func collect() async throws(SwiftyError) -> TransportResponse {
        let bytes = try await content.collect()
        return TransportResponse(head: head, content: bytes, metrics: content.metrics)
    }
}
