// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Swifty
public import SwiftyTransport
import Synchronization

import struct Foundation.Data

/// A transport without a network: a closure makes every response, and the requests are recorded.
///
///     let stub = StubTransport { request in
///         TransportResponse(head: ResponseHead(statusCode: 200), content: Data(#"{"id": 1}"#.utf8))
///     }
///     let swifty = Swifty(transport: stub)
public final class StubTransport: Transport {
    /// Makes the response to a request. An error other than ``SwiftyError`` becomes a failed connection.
    public typealias Handler = @Sendable (NetworkRequest) async throws -> TransportResponse

    private let handler: Handler
    private let state = Mutex((requests: [NetworkRequest](), isShutDown: false))

    /// Makes a transport whose responses come from a closure.
    public init(_ handler: @escaping Handler) {
        self.handler = handler
    }

    /// Makes a transport with the same response to every request.
    public convenience init(status: Int = 200, headers: HTTPFields = [:], content: String = "") {
        self.init { _ in
            TransportResponse(head: ResponseHead(statusCode: status, headers: headers), content: Data(content.utf8))
        }
    }

    /// The closure receives the unchanged request, and also where it would connect to.
    public var capabilities: TransportCapabilities { [.exactRequests, .reroutes] }

    /// The requests that were sent, in order. Content that is produced while it is sent is in `body`.
    public var requests: [NetworkRequest] { state.withLock { $0.requests } }

    /// Responds to a request, unless it is cancelled first.
    public func send(
        _ request: NetworkRequest,
        cancellation: LoadCancellation
    ) async throws(SwiftyError) -> TransportResponse {
        if state.withLock({ $0.isShutDown }) {
            throw SwiftyError(.shutdown, stage: .queue, reason: "the transport was shut down")
        }
        if request.content.source == nil { record(request) }
        return try await endingEarly(
            cancellation,
            stage: .firstByte,
            onCancel: { request.content.source?.cancel() },
            { () async throws(SwiftyError) in try await self.respond(to: request) }
        )
    }

    private func record(_ request: NetworkRequest) {
        state.withLock { $0.requests.append(request) }
    }

    /// Collects the content of a source, and calls the closure.
    private func respond(to request: NetworkRequest) async throws(SwiftyError) -> TransportResponse {
        var request = request
        if request.content.source != nil {
            request = try await request.collectingContent()
            record(request)
        }
        do {
            return try await handler(request)
        } catch let error as SwiftyError {
            throw error
        } catch {
            throw SwiftyError(
                .connectionFailed,
                stage: .connect,
                reason: "stubbed failure: \(error)",
                underlying: error
            )
        }
    }

    /// Refuses all later requests.
    public func shutdown() async {
        state.withLock { $0.isShutDown = true }
    }
}
