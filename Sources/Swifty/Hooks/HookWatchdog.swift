// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Logging
import Synchronization

/// Reports the slow hooks of one `Swifty`, and counts those that outlive their loads.
final class HookWatchdog: Sendable {
    private let clock: LoadClock
    private let patience: Duration?
    private let logger: Logger?
    private let count = Mutex(0)

    /// - Parameters:
    ///   - patience: The time that a hook may take before it is reported; `nil` reports none.
    ///   - logger: The logger of slow hooks.
    init(_ clock: LoadClock, patience: Duration?, logger: Logger? = nil) {
        self.clock = clock
        self.patience = patience
        self.logger = logger
    }

    /// The number of running hooks whose loads have ended.
    var leftBehind: Int { count.withLock { max(0, $0) } }

    /// Counts a hook that outlives its load (1), or the end of one (-1).
    func countLeftBehind(_ change: Int) {
        count.withLock { $0 += change }
    }

    /// Calls a closure when a hook that begins now exceeds the patience, unless the returned timer is cancelled.
    func watch(_ report: @escaping @Sendable () -> Void) -> LoadClock.Timer? {
        patience.map { clock.timer(at: clock.now() + $0, ring: report) }
    }

    /// Notifies the observers of a load of a slow hook, and logs it.
    func report(_ name: String, of load: Swifty.ObservedLoad, to observers: [any Swifty.Observer]) {
        for observer in observers { observer.observe(.hookIsSlow(name: name), of: load) }
        logger?.warning("\(load.draft.summary): \(name) takes long")
    }
}
