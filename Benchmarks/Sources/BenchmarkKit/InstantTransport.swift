// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

package import Swifty

import struct Foundation.Data

/// A transport that responds immediately, which leaves the cost of everything above it.
package struct InstantTransport: Transport {
    private let response = TransportResponse(
        head: ResponseHead(
            statusCode: 200,
            reasonPhrase: "OK",
            httpVersion: .http1_1,
            rawFields: Array("content-type: application/json\r\n".utf8)
        ),
        content: Data(#"{"ok":true}"#.utf8)
    )

    package init() {}

    package func send(
        _ request: NetworkRequest,
        cancellation: LoadCancellation
    ) async throws(SwiftyError) -> TransportResponse {
        response
    }

    package func shutdown() async {}
}
