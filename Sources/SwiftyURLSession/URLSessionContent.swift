// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyTransport

/// The content of a streamed response. Releasing it ends the transfer.
final class URLSessionContent: StreamedContent {
    /// Held, because a transport that is released ends its transfers.
    private let transport: URLSessionTransport
    private let transfer: URLSessionTransfer
    private let cancellation: LoadCancellation

    init(_ transport: URLSessionTransport, _ transfer: URLSessionTransfer, _ cancellation: LoadCancellation) {
        self.transport = transport
        self.transfer = transfer
        self.cancellation = cancellation
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

    /// `URLSession` drops them.
    var trailers: HTTPFields { [:] }

    var metrics: TransferMetrics { transfer.metrics }
}
