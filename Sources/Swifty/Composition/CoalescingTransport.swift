// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTransport
import Synchronization

/// Lets equal requests that are under way at the same time share one transfer.
///
///     Swifty(transport: CoalescingTransport(CurlTransport.shared))
///
/// A GET or HEAD request without a body joins a transfer that is under way if method, target, all header fields
/// (credentials and cookies among them), the route and the limits of the phases are the same. All who share a transfer get
/// the same response, or the same error, and the same metrics; `onEvent` tells each what happens from the moment when it
/// joined. Everything else is sent as it is.
///
/// Cancelling one request, or the end of its time (`timeouts.total`), ends it alone; when the last one leaves, the transfer
/// is ended too. No response is kept: a request that comes after the end of the transfer starts another.
package final class CoalescingTransport: Transport {
    private let transport: any Transport
    private let shutsDownTransport: Bool
    private let state = Mutex(State())

    /// Puts coalescing in front of a transport.
    ///
    /// - Parameters:
    ///   - transport: what carries the requests.
    ///   - shutsDownTransport: whether ``shutdown()`` shuts that transport down too. `false` unless given, since it may be a
    ///     shared one.
    package init(_ transport: any Transport, shutsDownTransport: Bool = false) {
        self.transport = transport
        self.shutsDownTransport = shutsDownTransport
    }

    /// How many requests take part in shared transfers now.
    var memberCount: Int {
        state.withLock { $0.transfers.values.reduce(0) { $0 + $1.memberCount } }
    }

    /// Sends the request, or joins an equal one that is under way.
    ///
    /// - Throws: what the transport throws; for a request that is ended alone, ``SwiftyError`` with the code of its
    ///   cancellation.
    package func send(
        _ request: NetworkRequest,
        cancellation: LoadCancellation
    ) async throws(SwiftyError) -> TransportResponse {
        guard let key = CoalescingKey(request) else {
            if state.withLock(\.isShutDown) { throw Self.shutdownError }
            return try await transport.send(request, cancellation: cancellation)
        }
        return try await join(key, request).result(for: request, cancellation)
    }

    /// Ends every shared transfer with ``SwiftyError/Code/shutdown``, and returns when all are over.
    ///
    /// Later calls of `send` fail with the same code. The transport underneath stays unless `init` was told otherwise; requests
    /// that are not shared are its own matter, and with it they end.
    package func shutdown() async {
        let transfers = state.withLock { state in
            state.isShutDown = true
            return Array(state.transfers.values)
        }
        for transfer in transfers { await transfer.end(with: .shutdown) }
        if shutsDownTransport { await transport.shutdown() }
    }

    /// The transfer that a request takes part in, as a member of it already.
    private func join(_ key: CoalescingKey, _ request: NetworkRequest) throws(SwiftyError) -> SharedTransfer.Membership
    {
        let place = state.withLock { $0.place(for: request, key) }
        guard let membership = place.membership else { throw Self.shutdownError }
        if place.isNew { start(membership.transfer, key, request) }
        return membership
    }

    private func start(_ transfer: SharedTransfer, _ key: CoalescingKey, _ request: NetworkRequest) {
        var request = request
        // Each member minds its own time.
        request.timeouts.total = nil
        request.onEvent = { transfer.tell($0) }
        let shared = request
        Task { [self] in
            let result: Result<TransportResponse, SwiftyError>
            do throws(SwiftyError) {
                result = .success(try await transport.send(shared, cancellation: transfer.cancellation))
            } catch {
                result = .failure(error)
            }
            state.withLock { if $0.transfers[key] === transfer { $0.transfers[key] = nil } }
            transfer.finish(result)
        }
    }

    private struct State {
        var transfers: [CoalescingKey: SharedTransfer] = [:]
        var isShutDown = false

        /// A place in the transfer under way, or in a new one that must be started.
        mutating func place(
            for request: NetworkRequest,
            _ key: CoalescingKey
        ) -> (membership: SharedTransfer.Membership?, isNew: Bool) {
            if isShutDown { return (nil, false) }
            if let membership = transfers[key]?.join(request) { return (membership, false) }
            let transfer = SharedTransfer()
            transfers[key] = transfer
            return (transfer.join(request), true)
        }
    }

    private static var shutdownError: SwiftyError {
        SwiftyError(.shutdown, stage: .queue, reason: "the transport was shut down")
    }
}

/// What two requests must have in common to share a transfer.
struct CoalescingKey: Hashable {
    private let method: HTTPRequest.Method
    private let target: TargetURI
    private let headers: HTTPFields
    private let timeouts: NetworkRequest.Timeouts
    private let connectsTo: HostAndPort?

    /// The key of a request; `nil` if it must have a transfer of its own.
    init?(_ request: NetworkRequest) {
        guard request.method == .get || request.method == .head, request.body == nil, !request.requiresNewConnection
        else { return nil }
        method = request.method
        target = request.target
        headers = request.headers
        connectsTo = request.connectsTo
        // The time that is left differs for every load, and each minds it itself.
        var timeouts = request.timeouts
        timeouts.total = nil
        self.timeouts = timeouts
    }
}
