// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// What carries requests to servers: the interface between Swifty's pipeline and the network.
///
///     struct Maintenance: Transport {
///         func send(
///             _ request: NetworkRequest, cancellation: LoadCancellation
///         ) async throws(SwiftyError) -> TransportResponse {
///             TransportResponse(head: ResponseHead(statusCode: 503), content: Data("closed".utf8))
///         }
///         func shutdown() async {}
///     }
///
///     let swifty = Swifty(transport: Maintenance())
///
/// Most programs write none: a `Swifty` has the default one, and mocks replace it in tests. Docs/Extending.md says how
/// to write one, and how the conformance suite proves it.
///
/// A transport sends each request exactly as given, once, and returns the response exactly as received. Redirects,
/// cookies, authentication and retries belong to the pipeline, so that they are the same over every transport. A
/// transport may send a request again by itself only where that is certainly harmless: if no byte of it was sent, if it
/// is idempotent and its kept-alive connection turns out to be dead, and if the server said that it did not process the
/// request (in HTTP/2 `REFUSED_STREAM` and `GOAWAY`). Docs/Retries.md has all cases of the default transport.
public protocol Transport: Sendable {
    /// The abilities of the transport; none by default.
    ///
    /// A load that demands another one fails with ``SwiftyError/Code/invalidSettings`` before anything is sent: the
    /// pipeline checks the request (``TransportCapabilities/check(_:)-(NetworkRequest)``), and the transport the
    /// settings that it was made with (``TransportCapabilities/check(_:)-(TransportSettings)``).
    var capabilities: TransportCapabilities { get }

    /// Sends one request and returns its complete response, whatever the status.
    ///
    /// A transport that cannot send ``NetworkRequest/Content/source(_:)`` calls
    /// ``NetworkRequest/collectingContent()`` first.
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

    /// Sends one request and returns as soon as the head of its final response has arrived; the content is read from
    /// the result.
    ///
    /// The response may come before the request's content is sent completely, and both continue simultaneously. What
    /// comes before the final head (100, 103), and the trailers, are events of the request
    /// (``NetworkRequest/onEvent``). The limits of the request hold until the end of the content; the limit for silence
    /// does not run while the transfer waits for the reader. The limit for the size of a response in memory does not
    /// apply.
    ///
    /// The default implementation holds the content in memory.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - cancellation: As for ``send(_:cancellation:)``, until the end of the content.
    /// - Throws: ``SwiftyError`` if no final head arrives.
    func stream(
        _ request: NetworkRequest,
        cancellation: LoadCancellation
    ) async throws(SwiftyError) -> StreamedResponse

    /// Opens a connection that a request would use, without sending anything on it, and keeps it for later requests.
    ///
    /// Returns at once if an idle one is there already, unless the request demands a new one. The default
    /// implementation fails with ``SwiftyError/Code/invalidSettings``.
    ///
    /// - Parameters:
    ///   - request: The request, of which only the target, the route and the timeouts count.
    ///   - cancellation: As for ``send(_:cancellation:)``.
    /// - Throws: ``SwiftyError`` if there is no connection.
    func prewarm(_ request: NetworkRequest, cancellation: LoadCancellation) async throws(SwiftyError)

    /// The connections of the transport now; empty by default.
    func connectionStatistics() async -> ConnectionStatistics

    /// Ends every transfer with ``SwiftyError/Code/shutdown``, closes all connections, and then returns.
    ///
    /// Later calls of `send` fail with the same code. Further calls of `shutdown` change nothing.
    func shutdown() async
}

extension Transport {
    /// The empty set: a transport that says nothing cannot be relied on.
    public var capabilities: TransportCapabilities { [] }

    /// Fails: a transport that says nothing cannot open connections ahead.
    public func prewarm(_ request: NetworkRequest, cancellation: LoadCancellation) async throws(SwiftyError) {
        throw SwiftyError(
            .invalidSettings,
            stage: .building,
            reason: "this transport cannot open connections ahead of requests"
        )
    }

    /// No connections.
    public func connectionStatistics() async -> ConnectionStatistics { ConnectionStatistics() }
}
