// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
public import SwiftyTransport

/// The transport for servers and command lines: libcurl opens connections, and Swifty speaks HTTP on them.
///
///     let transport = CurlTransport()
///     let response = try await transport.send(request, cancellation: LoadCancellation())
///
/// By default there is one loop, on Linux driven by epoll. Its thread starts with the first request, and connects,
/// writes, reads and parses. A request switches threads twice: to that thread, which is woken if it is asleep, and
/// back. Connections are kept alive and shared: HTTP/1.1 carries one request after the other, HTTP/2 many
/// simultaneously.
///
/// libcurl looks up names, connects, passes proxies, and carries TLS. A codec of this module implements HTTP/1.1, and
/// nghttp2 implements HTTP/2, which is used over TLS if the server offers it by ALPN; see ``CurlLibrary/nghttp2``. A
/// request is sent as given: no redirects, cookies, authentication, `.netrc`, proxies from the environment or content
/// decoding. TLS is at least 1.2, and the server is verified unless the settings exempt its host. A response is checked
/// byte by byte before it is returned; a truncated, ambiguous or oversized one is an error and never a short success.
///
/// The transport repeats a request by itself in two cases: once if it is idempotent and its kept connection is lost
/// before the response begins, and up to five times if an HTTP/2 server says that it did not process it. The state in
/// an error (``/SwiftyTransport/SwiftyError/sent``) is exact.
///
/// A request may demand a new connection (`requiresNewConnection`) or connect elsewhere (`connectsTo`): `Host`, SNI and
/// the certificate check keep the target's name, and such connections are shared only with requests to the same peer.
/// It may also observe its transfer (`onEvent`, called on the loop's thread). An event that has not happened when the
/// response's head arrives, such as the end of an upload that the server did not wait for, is left out.
///
/// Release the last reference, or call ``shutdown()``, to end the threads. On Linux, a process may also end at any
/// moment by `exit`, or by returning from `main`: the threads stop where they are, transfers under way never return,
/// and later ones fail with ``/SwiftyTransport/SwiftyError/Code/shutdown``.
public final class CurlTransport: Transport {
    /// The default transport, which many parts of a process use: ``shutdown()`` has no effect on it.
    public static let shared = CurlTransport(Configuration(), isShared: true)

    /// The configuration that the transport was made with.
    public let configuration: Configuration

    /// Runs tasks on the thread of the first loop, which saves switches between it and the threads of tasks.
    ///
    ///     let transport = CurlTransport()
    ///     let swifty = Swifty(transport: transport)
    ///     await withTaskExecutorPreference(transport.executor) {
    ///         // Loads, and little else: forwarding, crawling.
    ///     }
    ///
    /// For programs that only pass on what they load: while such a task computes or blocks, no connection of the loop
    /// is read, and no limit enforced. It suits a transport with one loop, which is the default. After ``shutdown()``
    /// its tasks run elsewhere.
    public let executor: any TaskExecutor

    /// Everything; HTTP/2 with a libcurl that has nghttp2.
    public let capabilities = TransportCapabilities.libcurl

    private let environment: CurlEnvironment
    private let loops: LoopPool
    private let isShared: Bool

    /// Makes a transport. Nothing is started before its first request.
    public convenience init(configuration: Configuration = Configuration()) {
        self.init(configuration, isShared: false)
    }

    /// - Parameter system: What the loops get from the outside.
    init(_ configuration: Configuration, isShared: Bool, system: any LoopSystem = NativeLoopSystem()) {
        self.isShared = isShared
        _ = Self.globalInitialization
        self.configuration = configuration
        environment = CurlEnvironment(configuration)
        loops = LoopPool(environment, system, count: configuration.loops)
        executor = loops.executor
    }

    deinit {
        loops.abandon()
    }

    /// Sends one request and returns its complete response, whatever the status.
    ///
    /// May be called from any task, any number of times simultaneously. Cancelling ends the transfer and closes its
    /// connection (with HTTP/2, resets its stream), so that nothing of it can reach a later request.
    ///
    /// - Throws: ``/SwiftyTransport/SwiftyError`` with the phase that failed, whether the request may have reached the
    ///   server, and the part of the response that arrived.
    public func send(
        _ request: NetworkRequest,
        cancellation: LoadCancellation
    ) async throws(SwiftyError) -> TransportResponse {
        let (transfer, loop) = try makeTransfer(request)
        await run(transfer, on: loop, cancellation)
        return try transfer.response()
    }

    /// Runs a transfer to its end.
    @inline(__always)
    private func run(_ transfer: Transfer, on loop: LoopThread, _ cancellation: LoadCancellation) async {
        // Safety: the transfer resumes the continuation exactly once: it clears the continuation when it does so, and
        // every end of a transfer goes through `resume()`.
        var registration: LoadCancellation.Registration?
        await withUnsafeContinuation { continuation in
            transfer.setContinuation(continuation)
            // Before the start: afterwards the load may already have ended, and the handler would remain. The loop
            // takes commands in order, except that a cancellation may come first; then nothing is started.
            registration = cancellation.onCancel { loop.cancel(transfer, with: $0) }
            loop.start(transfer)
        }
        cancellation.remove(registration)
        loop.noteEnd()
    }

    /// Opens a connection that a request would use, without sending anything on it, and keeps it for later requests.
    ///
    /// Without an idle one, it looks the server up, connects, and makes the handshake of TLS, within the `connect` and
    /// `total` limits of the request. If the request requires a new connection, one is made in any case.
    ///
    /// - Throws: As ``send(_:cancellation:)``, if there is no connection.
    public func prewarm(_ request: NetworkRequest, cancellation: LoadCancellation) async throws(SwiftyError) {
        let (transfer, loop) = try makeTransfer(request, isPrewarming: true)
        await run(transfer, on: loop, cancellation)
        try transfer.finishPrewarming()
    }

    /// The connections of all loops now. Each loop is asked in its next turn.
    public func connectionStatistics() async -> ConnectionStatistics { await loops.connectionStatistics() }

    /// Sends one request and returns when the head of its final response has arrived.
    ///
    /// May be called from any task. The transfer ends when the content of the result is released, and with it the
    /// connection, or over HTTP/2 the stream. Up to 1 MiB of a response waits for a slow reader, and 16 KiB while
    /// there are many streamed responses; over HTTP/2 24 KiB more, or 1 MiB if the reader was fast before.
    ///
    /// - Throws: As ``send(_:cancellation:)``, if no final head arrives.
    public func stream(
        _ request: NetworkRequest,
        cancellation: LoadCancellation
    ) async throws(SwiftyError) -> StreamedResponse {
        let feed = ResponseFeed()
        let (transfer, loop) = try makeTransfer(request, feed: feed)
        let registration = cancellation.onCancel { loop.cancel(transfer, with: $0) }
        loop.start(transfer)
        let content = StreamedTransfer(transfer, feed, on: loop, of: self) { cancellation.remove(registration) }
        return StreamedResponse(head: try await content.head(), content: content)
    }

    /// Ends every transfer with ``/SwiftyTransport/SwiftyError/Code/shutdown``, closes all connections, and returns
    /// when the threads have ended.
    ///
    /// Later calls of ``send(_:cancellation:)`` fail with the same code. A second call has no effect, and neither has
    /// one of ``shared``, whose other users would lose their loads.
    public func shutdown() async {
        if isShared { return }
        await loops.shutdown()
    }

    /// Makes a transfer, chooses its loop, and begins to read the source of its content.
    private func makeTransfer(
        _ request: NetworkRequest,
        feed: ResponseFeed? = nil,
        isPrewarming: Bool = false
    ) throws(SwiftyError) -> (Transfer, LoopThread) {
        let pump = request.content.source.map { ContentPump($0) }
        do throws(SwiftyError) {
            let transfer = try Transfer(
                request,
                in: environment,
                pump: pump,
                feed: feed,
                isPrewarming: isPrewarming
            )
            let loop = loops.loop(for: transfer)
            pump?.start { loop.provide($0, of: $1, for: transfer) }
            return (transfer, loop)
        } catch {
            pump?.end()
            var error = error
            error.request = NetworkRequest.Summary(request)
            throw error
        }
    }

    /// Initializes libcurl; never undone, because other parts of the process may also use libcurl.
    private static let globalInitialization: Void = LoopPresence.initializeLibrary()
}

extension CurlTransport: ConnectionClosureReporting {
    package func takeClosedConnections() -> [ClosedConnection] { environment.closures.take() }
}

extension TransportCapabilities {
    fileprivate static let libcurl = CurlLibrary.linked?.nghttp2 == nil ? complete.subtracting(.http2) : complete
}
