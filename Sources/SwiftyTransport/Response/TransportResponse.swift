// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import struct Foundation.Data

/// What a ``Transport`` gives back for one request: a complete response.
public struct TransportResponse: Sendable {
    /// Status and header fields.
    public let head: ResponseHead
    /// The content as it was transferred, without the transfer coding; empty if there was none.
    public let body: Data
    /// What the transfer cost.
    public var metrics: TransferMetrics { measured.metrics }

    let measured: MeasuredTransfer

    /// Makes a response of its parts.
    public init(head: ResponseHead, body: Data, metrics: TransferMetrics = TransferMetrics()) {
        self.head = head
        self.body = body
        measured = MeasuredTransfer(metrics)
    }
}
