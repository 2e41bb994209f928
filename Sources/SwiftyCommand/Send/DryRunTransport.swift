// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty

/// Sends nothing, and answers everything: what reaches it is what would have been sent.
struct DryRunTransport: Transport {
    func send(_: NetworkRequest, cancellation _: LoadCancellation) async throws(SwiftyError) -> TransportResponse {
        TransportResponse(head: ResponseHead(statusCode: 200), body: Data(), metrics: TransferMetrics())
    }

    func shutdown() async {}
}
