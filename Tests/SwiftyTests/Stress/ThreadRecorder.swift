// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Swifty
import Synchronization

/// Notes on which threads a transport reports its progress: those of its loops.
final class ThreadRecorder: LoadObserver {
    private let state = Mutex<Set<String>>([])

    var threads: Set<String> { state.withLock { $0 } }

    func observe(_ event: LoadEvent, of load: ObservedLoad) {
        guard case .transfer = event else { return }
        state.withLock { _ = $0.insert(ProcessUsage.currentThread) }
    }
}
