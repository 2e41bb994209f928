// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import NIOCore
import NIOPosix
public import SwiftyTransport
import Synchronization

/// The transport for programs on SwiftNIO: AsyncHTTPClient.
///
///     let swifty = Swifty(transport: AsyncHTTPClientTransport())
///
/// It keeps the contract of `Transport`: no redirect is followed, and no content is decoded. What AsyncHTTPClient
/// cannot do is not claimed, and settings that ask for it fail every load with `SwiftyError.Code.invalidSettings`
/// before anything is sent. No request is ever sent twice. Through an HTTP proxy, even `http` requests use a tunnel.
///
/// A request's source is read, and a response is received, as fast as the other side takes the content. All connections
/// of a transport share one event loop.
///
/// The table of all promises is in `Docs/Transports.md`.
public final class AsyncHTTPClientTransport: Transport {
    /// The settings that the transport was made with.
    public let settings: TransportSettings
    /// What AsyncHTTPClient does as documented.
    public let capabilities: TransportCapabilities = [
        .network, .exactRequests, .partialResponses, .streamedRequests, .streamedResponses, .backPressure, .fullDuplex,
        .connectionReuse, .idleTimeout, .contentLimit, .proxies, .proxyAuthentication, .socksProxies, .tls,
    ]

    private let clients: Clients
    private let transfers = Mutex<(open: [ObjectIdentifier: ClientTransfer], isShutDown: Bool)>(([:], false))

    /// Makes a transport on one of the process's shared event loops.
    public init(settings: TransportSettings = TransportSettings()) {
        self.settings = settings
        clients = Clients(settings)
    }

    deinit {
        clients.abandon()
    }

    /// Sends one request and returns its complete response, whatever the status.
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
        let body = try await transfer.collect()
        return TransportResponse(head: head, content: body, metrics: transfer.metrics)
    }

    /// Sends one request and returns when the head of its final response has arrived.
    public func stream(
        _ request: NetworkRequest,
        cancellation: LoadCancellation
    ) async throws(SwiftyError) -> StreamedResponse {
        let (transfer, registration) = try start(request, cancellation, contentLimit: nil)
        let content = ClientContent(self, transfer) { cancellation.remove(registration) }
        return StreamedResponse(head: try await transfer.head(), content: content)
    }

    /// Ends every transfer with `SwiftyError.Code.shutdown`, and closes all connections.
    public func shutdown() async {
        let open = transfers.withLock { transfers in
            defer { transfers = ([:], true) }
            return Array(transfers.open.values)
        }
        for transfer in open { transfer.cancel(with: .shutdown) }
        await clients.shutdown()
    }

    private func start(
        _ request: NetworkRequest,
        _ cancellation: LoadCancellation,
        contentLimit: Int?
    ) throws(SwiftyError) -> (ClientTransfer, LoadCancellation.Registration) {
        do throws(SwiftyError) {
            if let code = cancellation.code { throw SwiftyError(code, stage: .queue) }
            try capabilities.check(settings)
            try capabilities.check(request)
            try request.checkMessage()
            let client = try clients.client(for: request.target)
            let transfer = ClientTransfer(request, contentLimit: contentLimit, isProxied: client.isProxied)
            try add(transfer)
            transfer.start(over: client.client)
            let registration = cancellation.onCancel { transfer.cancel(with: $0) }
            return (transfer, registration)
        } catch {
            request.content.source?.cancel()
            var error = error
            error.request = NetworkRequest.Summary(request)
            throw error
        }
    }

    private func add(_ transfer: ClientTransfer) throws(SwiftyError) {
        let key = ObjectIdentifier(transfer)
        let isShutDown = transfers.withLock { transfers in
            if !transfers.isShutDown { transfers.open[key] = transfer }
            return transfers.isShutDown
        }
        if isShutDown { throw SwiftyError(.shutdown, stage: .queue, reason: "the transport was shut down") }
        transfer.onEnd { [weak self] in self?.transfers.withLock { _ = $0.open.removeValue(forKey: key) } }
    }
}
