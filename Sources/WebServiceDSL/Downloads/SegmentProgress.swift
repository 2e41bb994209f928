// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Reports the progress of all segments together to the observers of a request.
final class SegmentProgress: Sendable {
    private struct State {
        var received: Int
        /// The time of the last report to each observer.
        var reports: [ContinuousClock.Instant?]
    }

    private let observers: [TransferPolicy.ProgressObserver]
    private let total: Int
    private let state: Mutex<State>

    init(_ draft: RequestDraft, received: Int, total: Int) {
        observers = draft.transfer?.values.progressObservers ?? []
        self.total = total
        state = Mutex(State(received: received, reports: Array(repeating: nil, count: observers.count)))
    }

    /// Whether nothing observes the progress.
    var isEmpty: Bool { observers.isEmpty }

    /// Counts bytes that were written. Reports are made under the lock, so that they arrive in their order.
    func add(_ count: Int) {
        if isEmpty { return }
        let now = ContinuousClock.now
        state.withLock { state in
            state.received += count
            let progress = TransferProgress(
                sent: 0,
                bytesToSend: 0,
                received: state.received,
                bytesToReceive: total
            )
            for (index, observer) in observers.enumerated() {
                if let last = state.reports[index], now - last < observer.interval, state.received < total { continue }
                state.reports[index] = now
                observer.handler(progress)
            }
        }
    }
}
