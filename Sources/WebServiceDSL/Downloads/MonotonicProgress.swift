// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Keeps the progress of a download that needs several requests from going back.
///
/// A content that begins anew because it has changed has another length, and its progress begins anew, too.
final class MonotonicProgress: Sendable {
    private let last = Mutex<TransferProgress?>(nil)

    /// Passes a progress on, unless a later one was passed on before. Reports are made under the lock, so that they
    /// arrive in their order.
    func report(_ progress: TransferProgress, to handler: (TransferProgress) -> Void) {
        last.withLock { last in
            if let last, last.bytesToReceive == progress.bytesToReceive, last.received > progress.received { return }
            last = progress
            handler(progress)
        }
    }
}

extension NetworkResource {
    /// An independent resource whose observers get progress that does not go back, also over several requests.
    func withMonotonicProgress() -> NetworkResource {
        guard let observers = draft.transfer?.values.progressObservers, !observers.isEmpty else { return self }
        let steady = observers.map { observer in
            let progress = MonotonicProgress()
            return TransferPolicy.ProgressObserver(interval: observer.interval) { report in
                progress.report(report, to: observer.handler)
            }
        }
        return copy().modify { draft in draft.changeTransfer { $0.progressObservers = steady } }
    }
}
