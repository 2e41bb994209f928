// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import Synchronization

/// One request as it was sent, and its result.
struct WatchedExchange: Sendable {
    let request: NetworkRequest
    var head: ResponseHead?
    /// The content; `nil` if it was not in memory.
    var content: Data?
    var error: SwiftyError?
    /// Known when the exchange has ended, unless its content was streamed.
    var metrics: TransferMetrics?
}

/// Sends requests through another transport, and keeps each one with its response, including redirects, challenges and
/// retries.
final class WatchedTransport: Transport {
    private let transport: any Transport
    private let all = Mutex<[WatchedExchange]>([])

    init(_ transport: any Transport) {
        self.transport = transport
    }

    var exchanges: [WatchedExchange] { all.withLock { $0 } }

    var capabilities: TransportCapabilities { transport.capabilities }

    func send(
        _ request: NetworkRequest,
        cancellation: LoadCancellation
    ) async throws(SwiftyError) -> TransportResponse {
        let number = begin(request)
        do throws(SwiftyError) {
            let response = try await transport.send(request, cancellation: cancellation)
            change(number) {
                ($0.head, $0.content, $0.metrics) = (response.head, response.content, response.metrics)
            }
            return response
        } catch {
            fail(number, error)
            throw error
        }
    }

    func stream(
        _ request: NetworkRequest,
        cancellation: LoadCancellation
    ) async throws(SwiftyError) -> StreamedResponse {
        let number = begin(request)
        do throws(SwiftyError) {
            let response = try await transport.stream(request, cancellation: cancellation)
            change(number) { $0.head = response.head }
            return response
        } catch {
            fail(number, error)
            throw error
        }
    }

    func shutdown() async { await transport.shutdown() }

    private func begin(_ request: NetworkRequest) -> Int {
        all.withLock { exchanges in
            exchanges.append(WatchedExchange(request: request))
            return exchanges.count - 1
        }
    }

    private func fail(_ number: Int, _ error: SwiftyError) {
        change(number) { ($0.error, $0.metrics) = (error, error.transfer) }
    }

    private func change(_ number: Int, _ change: (inout WatchedExchange) -> Void) {
        all.withLock { change(&$0[number]) }
    }
}
