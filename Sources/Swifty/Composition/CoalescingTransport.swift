// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A transport that lets equal requests in flight share one transfer; see ``Swifty/Configuration/coalesces``.
///
/// A GET or HEAD request without content joins a transfer in flight if the method, the target, all header fields
/// (including credentials and cookies) but those that the policy ignores, the route and the timeouts other than `total`
/// are equal. All members of a transfer get the same response or error, and the same metrics; `onEvent` of a member
/// receives the events since it joined. All other requests are sent unchanged, and so are those that require a new
/// connection.
///
/// Cancelling one request, or reaching its `timeouts.total`, ends only that request; when the last member leaves, the
/// transfer ends too. No response is stored: a request after the end of the transfer starts another one. So does
/// one after the end of a request that may have changed what the target stands for, such as a PUT.
package final class CoalescingTransport: Transport {
    let transport: any Transport
    private let policy: CoalescingPolicy
    private let clock: LoadClock
    private let shutsDownTransport: Bool
    private let state = Mutex(State())

    /// Wraps a transport.
    ///
    /// - Parameters:
    ///   - transport: The transport that sends the requests.
    ///   - policy: The header fields in which equal requests may differ.
    ///   - clock: The clock of the members' time limits.
    ///   - shutsDownTransport: Whether ``shutdown()`` shuts that transport down too; `false` by default, since it may
    ///     be shared.
    package init(
        _ transport: any Transport,
        policy: CoalescingPolicy = CoalescingPolicy(),
        clock: any Clock<Duration> = ContinuousClock(),
        shutsDownTransport: Bool = false
    ) {
        self.transport = transport
        self.policy = policy
        self.clock = LoadClock(clock)
        self.shutsDownTransport = shutsDownTransport
    }

    /// Those of the transport that sends the requests.
    package var capabilities: TransportCapabilities { transport.capabilities }

    /// The number of transfers in flight that requests may join.
    var transferCount: Int { state.withLock(\.transfers.count) }

    /// The number of requests that are members of transfers.
    var memberCount: Int {
        state.withLock { $0.all.reduce(0) { $0 + $1.memberCount } }
    }

    /// Sends the request, or joins the transfer of an equal one.
    ///
    /// - Throws: The error of the transport; for a request that ends alone, an error with the code of its cancellation,
    ///   or with ``SwiftyError/Code/timedOut``.
    package func send(
        _ request: NetworkRequest,
        cancellation: LoadCancellation
    ) async throws(SwiftyError) -> TransportResponse {
        guard let key = CoalescingKey(request, policy) else {
            return try await sendAlone(request, cancellation: cancellation)
        }
        return try await join(key, request).result(for: request, cancellation, clock)
    }

    /// Sends a request that shares its transfer with no other one.
    func sendAlone(
        _ request: NetworkRequest,
        cancellation: LoadCancellation
    ) async throws(SwiftyError) -> TransportResponse {
        if state.withLock(\.isShutDown) { throw Self.shutdownError }
        do throws(SwiftyError) {
            let response = try await transport.send(request, cancellation: cancellation)
            noteEffect(of: request, response.head)
            return response
        } catch {
            noteEffect(of: request, after: error)
            throw error
        }
    }

    /// Sends the request alone: a streamed response has one reader.
    ///
    /// - Throws: The error of the transport.
    package func stream(
        _ request: NetworkRequest,
        cancellation: LoadCancellation
    ) async throws(SwiftyError) -> StreamedResponse {
        if state.withLock(\.isShutDown) { throw Self.shutdownError }
        do throws(SwiftyError) {
            let response = try await transport.stream(request, cancellation: cancellation)
            noteEffect(of: request, response.head)
            return response
        } catch {
            noteEffect(of: request, after: error)
            throw error
        }
    }

    private func noteEffect(of request: NetworkRequest, after error: SwiftyError) {
        if error.sent != .notSent { noteEffect(of: request, nil) }
    }

    /// Lets no further request join the transfers of what a request may have changed: its caller would get what the
    /// server has sent before the change.
    private func noteEffect(of request: NetworkRequest, _ head: ResponseHead?) {
        if request.method.isSafe { return }
        let targets = request.changedTargets(after: head)
        state.withLock { $0.close(targets) }
    }

    package func prewarm(_ request: NetworkRequest, cancellation: LoadCancellation) async throws(SwiftyError) {
        try await transport.prewarm(request, cancellation: cancellation)
    }

    package func connectionStatistics() async -> ConnectionStatistics { await transport.connectionStatistics() }

    /// Ends every shared transfer with ``SwiftyError/Code/shutdown``, and returns when all have ended.
    ///
    /// Later calls of `send` fail with the same code. The wrapped transport, with the requests that are not shared, is
    /// shut down only if `init` was given `shutsDownTransport`.
    package func shutdown() async {
        let transfers = state.withLock { state in
            state.isShutDown = true
            return state.all.sorted { $0.number < $1.number }
        }
        for transfer in transfers { await transfer.end(with: .shutdown) }
        if shutsDownTransport { await transport.shutdown() }
    }

    /// Joins the transfer of an equal request, or starts a new one.
    private func join(_ key: CoalescingKey, _ request: NetworkRequest) throws(SwiftyError) -> SharedTransfer.Membership
    {
        let place = state.withLock { $0.place(for: request, key) }
        guard let membership = place.membership else { throw Self.shutdownError }
        if place.isNew { start(membership.transfer, key: key, request: request) }
        return membership
    }

    private func start(_ transfer: SharedTransfer, key: CoalescingKey, request: NetworkRequest) {
        var request = request
        // Each member observes its own time limit.
        request.timeouts.total = nil
        request.onEvent = { transfer.notify($0) }
        request.share = nil
        let shared = request
        Task { [self] in
            let result = await Result.of { () async throws(SwiftyError) in
                try await transport.send(shared, cancellation: transfer.cancellation)
            }
            state.withLock { $0.remove(transfer, key) }
            transfer.finish(result)
        }
    }

    private struct State {
        var transfers: [CoalescingKey: SharedTransfer] = [:]
        /// Those in flight that no request can join any more, by their numbers.
        var closed: [Int: SharedTransfer] = [:]
        var lastNumber = 0
        var isShutDown = false

        /// Makes the request a member of a transfer in flight, or of a new one, which the caller must start.
        mutating func place(
            for request: NetworkRequest,
            _ key: CoalescingKey
        ) -> (membership: SharedTransfer.Membership?, isNew: Bool) {
            if isShutDown { return (nil, false) }
            if let transfer = transfers[key], !transfer.isCurrent { close(transfer, key) }
            if let membership = transfers[key]?.join(request) { return (membership, false) }
            lastNumber += 1
            let transfer = SharedTransfer(number: lastNumber, since: request.share?.start)
            transfers[key] = transfer
            return (transfer.join(request), true)
        }

        var all: [SharedTransfer] { Array(transfers.values) + Array(closed.values) }

        mutating func close(_ targets: [TargetURI]) {
            for (key, transfer) in transfers where targets.contains(key.target) { close(transfer, key) }
        }

        private mutating func close(_ transfer: SharedTransfer, _ key: CoalescingKey) {
            transfers[key] = nil
            closed[transfer.number] = transfer
        }

        mutating func remove(_ transfer: SharedTransfer, _ key: CoalescingKey) {
            if transfers[key] === transfer { transfers[key] = nil }
            closed[transfer.number] = nil
        }
    }

    private static var shutdownError: SwiftyError {
        SwiftyError(.shutdown, stage: .queue, reason: "the transport was shut down")
    }
}

/// The properties that must be equal for two requests to share a transfer.
struct CoalescingKey: Hashable {
    private let method: HTTPRequest.Method
    let target: TargetURI
    private let headers: HTTPFields
    private let timeouts: NetworkRequest.Timeouts
    private let connectsTo: HostAndPort?
    /// Whether the response may be stored: it must be known then when it was requested.
    private let hasStart: Bool

    /// Makes the key of a request; `nil` if the request needs its own transfer.
    init?(_ request: NetworkRequest, _ policy: CoalescingPolicy) {
        guard request.method == .get || request.method == .head, request.content.isNone, !request.requiresNewConnection
        else { return nil }
        method = request.method
        target = request.target
        headers = policy.comparedFields(of: request.headers)
        connectsTo = request.connectsTo
        hasStart = request.share?.start != nil
        // The remaining time differs for every load, and each member observes its own.
        var timeouts = request.timeouts
        timeouts.total = nil
        self.timeouts = timeouts
    }
}

extension CoalescingTransport: ConnectionClosureReporting {
    package func takeClosedConnections() -> [ClosedConnection] {
        (transport as? any ConnectionClosureReporting)?.takeClosedConnections() ?? []
    }
}
