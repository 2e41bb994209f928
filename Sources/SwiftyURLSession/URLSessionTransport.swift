// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
public import SwiftyTransport
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The transport for systems that do not come with libcurl: `URLSession` of Foundation, or of FoundationNetworking.
///
///     let swifty = Swifty(transport: URLSessionTransport())
///
/// It keeps the contract of ``/SwiftyTransport/Transport``: no redirect is followed, no cookie is stored, nothing is
/// cached, and no challenge is answered. What `URLSession` cannot do, or what cannot be checked from outside, is not
/// claimed: pins, custom authorities, proxies, addresses and limits of heads, for example. Settings that ask for it
/// fail every load with ``/SwiftyTransport/SwiftyError/Code/invalidSettings`` before anything is sent. On Linux so does
/// a proxy in the environment that `no_proxy` does not clearly exempt, because libcurl would use it.
///
/// Content of a request is sent from memory. A response is delivered while it arrives; a reader that pauses does not
/// stop the server. Content codings are always decoded by `URLSession`, so `Accept-Encoding` is sent as `identity`.
///
/// On Linux each request that is not idempotent, or has content, has its own session: libcurl would otherwise send it a
/// second time if its kept connection turns out to be dead.
///
/// The phases of a transfer, its peer and its version are those that the session measures. FoundationNetworking
/// measures nothing.
///
/// > Warning: On Linux a server can end the process: FoundationNetworking of Swift 6.3 traps if a response has
/// > trailers, or if the connection ends in the head of a response. Use libcurl for servers that are not trusted.
///
/// The table of all promises is in `Docs/Transports.md`.
public final class URLSessionTransport: Transport {
    /// The settings that the transport was made with.
    public let settings: TransportSettings
    /// What `URLSession` can do and what can be checked from outside.
    public let capabilities: TransportCapabilities = [
        .network, .streamedResponses, .partialResponses, .connectionReuse, .newConnections, .replayRule, .idleTimeout,
        .contentLimit, .tls,
    ]

    private let template: SessionTemplate
    private let sessions: SessionPool

    init(_ template: SessionTemplate, _ settings: TransportSettings) {
        self.settings = settings
        self.template = template
        sessions = SessionPool(template.configuration)
    }

    /// Makes a transport.
    public convenience init(settings: TransportSettings = TransportSettings()) {
        self.init(SessionTemplate(), settings)
    }

    deinit {
        sessions.shutdown()
    }

    /// Sends one request and returns its complete response, whatever the status.
    ///
    /// - Throws: ``/SwiftyTransport/SwiftyError``. The stage is an estimate, since `URLSession` does not report it.
    public func send(
        _ request: NetworkRequest,
        cancellation: LoadCancellation
    ) async throws(SwiftyError) -> TransportResponse {
        let (transfer, registration) = try start(
            request,
            cancellation,
            contentLimit: settings.responses.contentLimit
        )
        defer { cancellation.remove(registration) }
        let head = try await transfer.head()
        let content = try await transfer.collect()
        return TransportResponse(head: head, content: content, metrics: transfer.metrics)
    }

    /// Sends one request and returns when the head of its final response has arrived.
    ///
    /// - Throws: As ``send(_:cancellation:)``, if no head arrives.
    public func stream(
        _ request: NetworkRequest,
        cancellation: LoadCancellation
    ) async throws(SwiftyError) -> StreamedResponse {
        let (transfer, registration) = try start(request, cancellation, contentLimit: nil)
        let content = URLSessionContent(self, transfer) { cancellation.remove(registration) }
        return StreamedResponse(head: try await transfer.head(), content: content)
    }

    /// Ends every transfer with ``/SwiftyTransport/SwiftyError/Code/shutdown``, and closes all connections.
    public func shutdown() async {
        sessions.shutdown()
    }

    private func start(
        _ request: NetworkRequest,
        _ cancellation: LoadCancellation,
        contentLimit: Int?
    ) throws(SwiftyError) -> (URLSessionTransfer, LoadCancellation.Registration) {
        do throws(SwiftyError) {
            if let code = cancellation.code { throw SwiftyError(code, stage: .queue) }
            try check(request)
            let urlRequest = try URLRequest(forTransfer: template.complete(request))
            let transfer = URLSessionTransfer(request, contentLimit: contentLimit, settings.responses.fieldCountLimit)
            try sessions.add(transfer)
            // Before the content is read, which may take any time.
            let registration = cancellation.onCancel { transfer.cancel(with: $0) }
            transfer.start(urlRequest, over: sessions, isAlone: needsOwnSession(request))
            return (transfer, registration)
        } catch {
            request.content.source?.cancel()
            var error = error
            if error.request == nil { error.request = NetworkRequest.Summary(request) }
            throw error
        }
    }

    private func check(_ request: NetworkRequest) throws(SwiftyError) {
        try capabilities.check(settings)
        try capabilities.check(request)
        try request.checkMessage()
        #if canImport(FoundationNetworking)
        try EnvironmentProxies(ProcessInfo.processInfo.environment).check(request.target)
        #endif
    }

    private func needsOwnSession(_ request: NetworkRequest) -> Bool {
        #if canImport(FoundationNetworking)
        request.requiresNewConnection || !request.isIdempotent || !request.content.isNone
        #else
        request.requiresNewConnection
        #endif
    }
}
