// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// Metrics behind one reference: what holds them is handed from stage to stage far more often than they are read.
final class MeasuredTransfer: Sendable, Hashable {
    let metrics: TransferMetrics

    init(_ metrics: TransferMetrics) {
        self.metrics = metrics
    }

    static func == (one: MeasuredTransfer, other: MeasuredTransfer) -> Bool {
        one === other || one.metrics == other.metrics
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(metrics)
    }
}
