// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization
import WebServiceDSL

/// A network interface that freezes what it is given, and answers as it is told.
final class RecordingInterface: NetworkInterface {
    private let recorded = Mutex<[Result<NetworkRequest, SwiftyError>]>([])
    private let answer: @Sendable (NetworkRequest) -> NetworkResponse

    init(
        answer: @escaping @Sendable (NetworkRequest) -> NetworkResponse = {
            NetworkResponse(head: ResponseHead(statusCode: 200), data: Data("{}".utf8), request: $0)
        }
    ) {
        self.answer = answer
    }

    var requests: [NetworkRequest] { recorded.withLock { $0.compactMap { try? $0.get() } } }

    func load(_ draft: RequestDraft, cancellation: LoadCancellation) async -> NetworkResponse {
        do throws(SwiftyError) {
            let request = try await draft.makeRequest()
            recorded.withLock { $0.append(.success(request)) }
            return answer(request)
        } catch {
            recorded.withLock { $0.append(.failure(error)) }
            return NetworkResponse(error: error)
        }
    }
}

/// The resource's request as it would be sent, or the error that `load` throws.
func freeze(_ resource: some ModifiableResource) async throws(SwiftyError) -> NetworkRequest {
    try await resource.draft.makeRequest()
}

/// The start of requests to a server that is never contacted.
func server(_ url: String = "https://api.example.com/v1") -> BaseResource {
    BaseResource(url, networkInterface: RecordingInterface())
}
