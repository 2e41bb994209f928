// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The progress observers, event handlers and rate limits of a request; boxed, because most requests have none.
package final class TransferPolicy: Sendable {
    /// Observes the progress, at most once in an interval.
    package struct ProgressObserver: Sendable {
        package let interval: Duration
        package let handler: @Sendable (TransferProgress) -> Void

        package init(interval: Duration, handler: @escaping @Sendable (TransferProgress) -> Void) {
            (self.interval, self.handler) = (interval, handler)
        }
    }

    package struct Values: Sendable {
        package var progressObservers: [ProgressObserver] = []
        package var eventHandlers: [TransferEvent.Handler] = []
        package var download: Bandwidth?
        package var upload: Bandwidth?
        /// The number of bytes of the response that an earlier load has received.
        package var receivedBefore = 0
    }

    package let values: Values

    init(_ values: Values) {
        self.values = values
    }
}

extension RequestDraft {
    /// Changes the policy of the transfer.
    package mutating func changeTransfer(_ change: (inout TransferPolicy.Values) -> Void) {
        var values = transfer?.values ?? TransferPolicy.Values()
        change(&values)
        transfer = TransferPolicy(values)
    }
}

extension RequestDraft {
    /// The number of bytes of the response that an earlier load has received, for the progress of a resumed download.
    package var receivedBefore: Int { transfer?.values.receivedBefore ?? 0 }
}
