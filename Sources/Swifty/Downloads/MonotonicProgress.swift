// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Keeps the progress of a download that needs several requests from going back.
///
/// If the content changed, the download restarts, and so does its progress.
final class MonotonicProgress: Sendable {
    private let last = Mutex<TransferProgress?>(nil)

    /// Reports progress to the handler, unless more was reported before. Reports are made under the lock, so that they
    /// arrive in order.
    func report(_ progress: TransferProgress, to handler: (TransferProgress) -> Void) {
        last.withLock { last in
            if let last, last.received > progress.received, !isOther(progress, last) { return }
            last = progress
            handler(progress)
        }
    }
}

/// Whether the progress is that of other content. Progress without a length may be that of a response without the
/// content, such as an error between two requests.
private func isOther(_ progress: TransferProgress, _ last: TransferProgress) -> Bool {
    progress.bytesToReceive != nil && progress.bytesToReceive != last.bytesToReceive
}

extension NetworkResource {
    /// An independent resource whose observers get progress that does not go back, even over several requests.
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
