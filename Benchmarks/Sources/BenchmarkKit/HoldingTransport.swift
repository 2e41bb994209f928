// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

package import Swifty
import Synchronization

import struct Foundation.Data

/// A transport that holds all responses until they are released, so that waiting loads can be measured.
package final class HoldingTransport: Transport {
    private let waiting = Mutex<[CheckedContinuation<Void, Never>]>([])

    package init() {}

    /// The number of waiting requests.
    package var count: Int { waiting.withLock { $0.count } }

    package func send(
        _ request: NetworkRequest,
        cancellation: LoadCancellation
    ) async throws(SwiftyError) -> TransportResponse {
        await withCheckedContinuation { continuation in waiting.withLock { $0.append(continuation) } }
        return TransportResponse(head: ResponseHead(statusCode: 200), content: Data())
    }

    /// Responds to all waiting requests.
    package func release() {
        let all = waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
        for continuation in all { continuation.resume() }
    }

    package func shutdown() async {}
}
