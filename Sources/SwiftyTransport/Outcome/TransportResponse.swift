// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import struct Foundation.Data

/// The complete response of a ``Transport`` to one request.
public struct TransportResponse: Sendable {
    /// The status and the header fields.
    public let head: ResponseHead
    /// The content as transferred, without the transfer coding; empty for a response without content.
    public let content: Data
    /// The measurements of the transfer.
    public var metrics: TransferMetrics {
        // Inlined, so that reading one measurement does not copy all of them.
        @inlinable get { measured.metrics }
    }

    @usableFromInline let measured: MeasuredTransfer

    /// Makes a response from its parts.
    public init(head: ResponseHead, content: Data, metrics: TransferMetrics = TransferMetrics()) {
        self.head = head
        self.content = content
        measured = MeasuredTransfer(metrics)
    }
}
