// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyTransport

/// The content of a streamed response. Releasing it ends the transfer.
final class ClientContent: StreamedContent {
    /// Held, because a transport that is released ends its transfers.
    private let transport: AsyncHTTPClientTransport
    private let transfer: ClientTransfer
    private let cancellation: LoadCancellation

    init(_ transport: AsyncHTTPClientTransport, _ transfer: ClientTransfer, _ cancellation: LoadCancellation) {
        (self.transport, self.transfer, self.cancellation) = (transport, transfer, cancellation)
    }

    deinit {
        cancellation.onCancel(nil)
        transfer.cancel(with: .cancelled)
    }

    nonisolated(nonsending) func next() async throws(SwiftyError) -> Data? {
        try await transfer.next()
    }

    func cancel() {
        transfer.cancel(with: .cancelled)
    }

    /// AsyncHTTPClient does not pass them on.
    var trailers: HTTPFields { [:] }

    var metrics: TransferMetrics { transfer.metrics }
}
