// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyTransport

/// The content of a streamed response. Releasing it ends the transfer.
final class ClientContent: StreamedContent {
    /// Held, because a transport that is released ends its transfers.
    private let transport: AsyncHTTPClientTransport
    private let transfer: ClientTransfer
    /// Called at the release.
    private let onRelease: @Sendable () -> Void

    init(
        _ transport: AsyncHTTPClientTransport,
        _ transfer: ClientTransfer,
        onRelease: @escaping @Sendable () -> Void
    ) {
        (self.transport, self.transfer, self.onRelease) = (transport, transfer, onRelease)
    }

    deinit {
        onRelease()
        transfer.cancel(with: .cancelled)
    }

    nonisolated(nonsending) func next() async throws(SwiftyError) -> Data? {
        try await transfer.next()
    }

    func whenEnded(_ handler: @escaping @Sendable (SwiftyError?) -> Void) -> Bool {
        transfer.onEnd { [transfer] in handler(transfer.failure) }
        return true
    }

    func cancel() {
        transfer.cancel(with: .cancelled)
    }

    /// AsyncHTTPClient does not pass them on.
    var trailers: HTTPFields { [:] }

    var metrics: TransferMetrics { transfer.metrics }
}
