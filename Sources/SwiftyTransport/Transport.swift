// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import struct Foundation.Data

/// Carries requests over a network: the seam between Swifty's pipeline and libcurl, or whatever takes its place.
///
/// A transport sends exactly what it is given, once, and reports exactly what came back. It follows no redirect, stores
/// no cookie, answers no authentication challenge and repeats nothing that must not be repeated: the pipeline decides all of
/// that, so that it is the same over every transport. The one exception is a kept-alive connection that turns out to be dead
/// when an idempotent request goes out on it: a transport may then take another connection by itself.
public protocol Transport: Sendable {
    /// Sends one request and returns its complete response, whatever the status.
    ///
    /// May be called from any task, any number of times at once.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - cancellation: Ends the transfer early. The transport registers with
    ///     ``LoadCancellation/onCancel(_:)`` and, when called, ends the transfer with an error of the given code.
    /// - Throws: ``SwiftyError`` with the stage that failed and whether the request may have reached the server.
    func send(
        _ request: NetworkRequest,
        cancellation: LoadCancellation
    ) async throws(SwiftyError) -> TransportResponse

    /// Ends every transfer with ``SwiftyError/Code/shutdown``, closes all connections, and returns when that is done.
    ///
    /// Later calls of `send` fail with the same code. A second call returns at once.
    func shutdown() async
}

/// What a ``Transport`` gives back for one request: a complete response.
public struct TransportResponse: Sendable {
    /// Status and header fields.
    public let head: ResponseHead
    /// The content as it was transferred, without the transfer coding; empty if there was none.
    public let body: Data
    /// What the transfer cost.
    public var metrics: TransferMetrics { measured.metrics }

    let measured: MeasuredTransfer

    /// Makes a response of its parts.
    public init(head: ResponseHead, body: Data, metrics: TransferMetrics = TransferMetrics()) {
        self.head = head
        self.body = body
        measured = MeasuredTransfer(metrics)
    }
}

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
