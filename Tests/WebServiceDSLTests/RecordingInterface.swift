// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization
import WebServiceDSL

/// A network interface that records the frozen requests, and responds with a closure.
final class RecordingInterface: NetworkInterface {
    private let recorded = Mutex<[Result<NetworkRequest, SwiftyError>]>([])
    private let respond: @Sendable (NetworkRequest) -> NetworkResponse

    init(
        respond: @escaping @Sendable (NetworkRequest) -> NetworkResponse = {
            NetworkResponse(head: ResponseHead(statusCode: 200), data: Data("{}".utf8), request: $0)
        }
    ) {
        self.respond = respond
    }

    var requests: [NetworkRequest] { recorded.withLock { $0.compactMap { try? $0.get() } } }

    func load(_ draft: RequestDraft, cancellation: LoadCancellation) async -> NetworkResponse {
        do throws(SwiftyError) {
            let request = try await draft.makeRequest()
            recorded.withLock { $0.append(.success(request)) }
            return respond(request)
        } catch {
            recorded.withLock { $0.append(.failure(error)) }
            return NetworkResponse(error: error)
        }
    }
}

/// The request of a resource as it would be sent.
///
/// - Throws: The error that `load` would throw.
func freeze(_ resource: some ModifiableResource) async throws(SwiftyError) -> NetworkRequest {
    try await resource.draft.makeRequest()
}

/// The start of requests to a server that is never contacted.
func server(_ url: String = "https://api.example.com/v1") -> BaseResource {
    BaseResource(url, networkInterface: RecordingInterface())
}
