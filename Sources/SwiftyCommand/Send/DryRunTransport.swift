// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import Synchronization

/// Sends nothing, and answers everything: what reaches it is what would have been sent.
final class DryRunTransport: Transport {
    private let last = Mutex<NetworkRequest?>(nil)

    /// The last request that was to be sent.
    var request: NetworkRequest? { last.withLock { $0 } }

    func send(
        _ request: NetworkRequest,
        cancellation _: LoadCancellation
    ) async throws(SwiftyError) -> TransportResponse {
        last.withLock { $0 = request }
        return TransportResponse(head: ResponseHead(statusCode: 200), body: Data(), metrics: TransferMetrics())
    }

    func shutdown() async {}
}
