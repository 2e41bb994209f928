// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Swifty
public import SwiftyTransport
import Synchronization

import struct Foundation.Data

/// A transport without a network: it answers every request with a closure and remembers what it was asked.
///
///     let stub = StubTransport { request in
///         TransportResponse(head: ResponseHead(statusCode: 200), body: Data(#"{"id": 1}"#.utf8))
///     }
///     let swifty = Swifty(transport: stub)
public final class StubTransport: Transport {
    /// What answers a request. An error that is no ``SwiftyError`` becomes a failed connection.
    public typealias Answer = @Sendable (NetworkRequest) async throws -> TransportResponse

    private let answer: Answer
    private let state = Mutex((requests: [NetworkRequest](), isShutDown: false))

    /// Makes a transport that answers with a closure.
    public init(_ answer: @escaping Answer) {
        self.answer = answer
    }

    /// Makes a transport that gives every request the same answer.
    public convenience init(status: Int = 200, headers: HTTPFields = [:], body: String = "") {
        self.init { _ in
            TransportResponse(head: ResponseHead(statusCode: status, headers: headers), body: Data(body.utf8))
        }
    }

    /// The requests that were sent, in order.
    public var requests: [NetworkRequest] { state.withLock { $0.requests } }

    /// Answers a request, unless it is cancelled first.
    public func send(
        _ request: NetworkRequest,
        cancellation: LoadCancellation
    ) async throws(SwiftyError) -> TransportResponse {
        let isShutDown = state.withLock { state in
            if !state.isShutDown { state.requests.append(request) }
            return state.isShutDown
        }
        if isShutDown { throw SwiftyError(.shutdown, stage: .queue, reason: "the transport was shut down") }
        do {
            return try await self.answer(to: request, cancellation).get()
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

    /// What the closure answers, or that the request was cancelled: then the closure's task is, too, and is not waited for.
    private func answer(
        to request: NetworkRequest,
        _ cancellation: LoadCancellation
    ) async -> Result<TransportResponse, any Error> {
        let (answer, outcome) = (self.answer, Promise<Result<TransportResponse, any Error>>())
        let task = Task {
            do {
                outcome.resolve(.success(try await answer(request)))
            } catch {
                outcome.resolve(.failure(error))
            }
        }
        cancellation.onCancel { code in
            outcome.resolve(.failure(SwiftyError(code, stage: .firstByte, sent: .maybeSent)))
            task.cancel()
        }
        defer { cancellation.onCancel(nil) }
        return await outcome.value()
    }

    /// Refuses all later requests.
    public func shutdown() async {
        state.withLock { $0.isShutDown = true }
    }
}
