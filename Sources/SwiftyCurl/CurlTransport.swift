// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
public import SwiftyTransport

/// The transport for servers and command lines: libcurl's multi interface, driven by epoll.
///
///     let transport = CurlTransport()
///     let response = try await transport.send(request, cancellation: LoadCancellation())
///
/// Each loop has one thread, which starts with the first request. A request takes two hops, to that thread, which it
/// wakes if it is asleep, and back. Connections are kept alive and shared: HTTP/1.1 one request after the other, HTTP/2
/// (over TLS, by ALPN) many at once.
///
/// Everything in which transports could differ is switched off in libcurl: redirects, cookies, authentication, `.netrc`,
/// the environment's proxies, content decoding. TLS is at least 1.2, and verified unless the settings name a host. A
/// response is checked line by line before it is handed on; one that is cut off, ambiguous or too large is an error and
/// never a short success.
///
/// A request may ask for a connection of its own (`requiresNewConnection`), connect elsewhere (`connectsTo`; `Host`, SNI
/// and the certificate check keep the target's, and connections are never shared with requests that go elsewhere), and be
/// told what happens (`onEvent`, on the loop's thread; an event that has not happened when the answer's head arrives, such
/// as the end of an upload that the server did not wait for, is left out).
///
/// Release the last reference, or call ``shutdown()``, to end the threads.
public final class CurlTransport: Transport {
    /// The transport of those who need no other. It is never shut down by itself.
    public static let shared = CurlTransport()

    /// What the transport was made with.
    public let configuration: Configuration

    private let loops: LoopPool
    /// nil if the settings' TLS is the default one.
    private let tls: TLSPolicy?
    /// What makes the settings unusable.
    private let flaw: SwiftyError?

    /// Makes a transport; nothing is started before its first request.
    public init(configuration: Configuration = Configuration()) {
        Self.prepareLibrary()
        var configuration = configuration
        configuration.complete()
        self.configuration = configuration
        tls = TLSPolicy(configuration.settings.tls)
        flaw = configuration.settings.flaw
        loops = LoopPool(configuration)
    }

    deinit {
        loops.abandon()
    }

    /// Sends one request and returns its complete response, whatever the status.
    ///
    /// May be called from any task, any number of times at once. Cancelling ends the transfer and closes its connection
    /// (with HTTP/2, resets its stream), so that nothing of it can reach a later request.
    ///
    /// - Throws: ``/SwiftyTransport/SwiftyError`` with the phase that failed and whether the request may have reached the
    ///   server; the response as far as it arrived is in it.
    public func send(
        _ request: NetworkRequest,
        cancellation: LoadCancellation
    ) async throws(SwiftyError) -> TransportResponse {
        let transfer = try makeTransfer(request)
        let loop = loops.loop(for: transfer)
        // Safety: the transfer resumes the continuation exactly once: it gives it away when it does, and every way to
        // the end of a transfer passes there.
        await withUnsafeContinuation { continuation in
            transfer.setContinuation(continuation)
            // Before the start: afterwards the load may already be over, and the handler would stay behind. The loop
            // takes commands in order, except that a cancellation may come first; then nothing is started.
            cancellation.onCancel { loop.cancel(transfer, with: $0) }
            loop.start(transfer)
        }
        cancellation.onCancel(nil)
        loop.noteEnd()
        return try transfer.response()
    }

    /// Ends every transfer with ``/SwiftyTransport/SwiftyError/Code/shutdown``, closes all connections, and returns when
    /// the threads have ended.
    ///
    /// Later calls of ``send(_:cancellation:)`` fail with the same code. A second call has nothing left to do.
    public func shutdown() async {
        await loops.shutdown()
    }

    private func makeTransfer(_ request: NetworkRequest) throws(SwiftyError) -> Transfer {
        do throws(SwiftyError) {
            if let flaw { throw flaw }
            let hostRules = try tls?.rules(for: request.target)
            return try Transfer(request, of: self, hostRules: hostRules)
        } catch {
            var error = error
            error.request = NetworkRequest.Summary(request)
            throw error
        }
    }

    private static func prepareLibrary() {
        _ = globalInitialization
    }

    /// Never undone: other parts of the process may use libcurl, too.
    private static let globalInitialization: Void = {
        curl_global_init(Int(CURL_GLOBAL_DEFAULT))
    }()
}
