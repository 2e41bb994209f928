// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import struct Foundation.Data

/// The seam between Swifty's pipeline and the network: libcurl, or an implementation in its place.
///
/// A transport sends each request exactly as given, once, and returns the response exactly as received. Redirects,
/// cookies, authentication and retries belong to the pipeline, so that they are the same over every transport. The one
/// exception: if a kept-alive connection turns out to be dead when an idempotent request is sent on it, a transport may
/// send the request on another connection by itself.
public protocol Transport: Sendable {
    /// Sends one request and returns its complete response, whatever the status.
    ///
    /// May be called from any task, any number of times simultaneously.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - cancellation: The means to end the transfer early. The transport registers a handler with
    ///     ``LoadCancellation/onCancel(_:)``, which ends the transfer with an error of the given code.
    /// - Throws: ``SwiftyError`` with the stage that failed, and with the sent state of the request.
    func send(
        _ request: NetworkRequest,
        cancellation: LoadCancellation
    ) async throws(SwiftyError) -> TransportResponse

    /// Ends every transfer with ``SwiftyError/Code/shutdown``, closes all connections, and then returns.
    ///
    /// Later calls of `send` fail with the same code. Further calls of `shutdown` change nothing.
    func shutdown() async
}

/// The complete response of a ``Transport`` to one request.
public struct TransportResponse: Sendable {
    /// The status and the header fields.
    public let head: ResponseHead
    /// The content as transferred, without the transfer coding; empty if there is none.
    public let body: Data
    /// The measurements of the transfer.
    public var metrics: TransferMetrics { measured.metrics }

    let measured: MeasuredTransfer

    /// Makes a response from its parts.
    public init(head: ResponseHead, body: Data, metrics: TransferMetrics = TransferMetrics()) {
        self.head = head
        self.body = body
        measured = MeasuredTransfer(metrics)
    }
}

/// The progress of a transfer. Events are reported as they happen, in this order.
///
/// A transport calls the handler on a thread of its own, which must not be blocked. A phase that does not happen (such
/// as a name lookup on a reused connection) has no event. ``progress(sent:received:)`` may be reported any number of
/// times.
public enum TransferEvent: Sendable, Hashable {
    /// Receives the events of a transfer.
    public typealias Handler = @Sendable (TransferEvent) -> Void

    /// The connection is ready: a new one, with the durations of its phases, or one that an earlier request opened.
    case connected(nameLookup: Duration, connect: Duration, tls: Duration, isReused: Bool)
    /// The last byte of the request was written to the connection.
    case requestSent
    /// The head of the final response has arrived. `contentLength` is the announced number of bytes of content, before
    /// any decoding; `nil` if it is not announced, as with chunks.
    case responseHead(statusCode: Int, contentLength: Int?)
    /// The numbers of bytes of content sent and received so far.
    case progress(sent: Int, received: Int)
}
