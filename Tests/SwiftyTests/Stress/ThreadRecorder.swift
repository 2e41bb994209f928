// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Swifty
import Synchronization

/// Records the threads on which a transport reports its progress: those of its loops.
final class ThreadRecorder: Swifty.Observer {
    private let state = Mutex<Set<String>>([])

    var threads: Set<String> { state.withLock { $0 } }

    func observe(_ event: Swifty.Event, of load: Swifty.ObservedLoad) {
        guard case .transfer = event else { return }
        state.withLock { _ = $0.insert(ProcessUsage.currentThread) }
    }
}
