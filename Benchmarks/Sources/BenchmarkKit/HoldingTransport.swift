// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

package import Swifty
import Synchronization

import struct Foundation.Data

/// A network that answers nobody until it is told to, so that what waits can be weighed.
package final class HoldingTransport: Transport {
    private let waiting = Mutex<[CheckedContinuation<Void, Never>]>([])

    package init() {}

    /// How many requests wait.
    package var count: Int { waiting.withLock { $0.count } }

    package func send(
        _ request: NetworkRequest,
        cancellation: LoadCancellation
    ) async throws(SwiftyError) -> TransportResponse {
        await withCheckedContinuation { continuation in waiting.withLock { $0.append(continuation) } }
        return TransportResponse(head: ResponseHead(statusCode: 200), body: Data())
    }

    /// Answers all that wait.
    package func release() {
        let all = waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
        for continuation in all { continuation.resume() }
    }

    package func shutdown() async {}
}
