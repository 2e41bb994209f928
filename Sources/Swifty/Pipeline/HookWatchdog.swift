// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Logging
import Synchronization

/// What watches over the hooks of one `Swifty`.
final class HookWatchdog: Sendable {
    private let clock: LoadClock
    private let patience: Duration?
    private let observers: [any Swifty.Observer]
    private let logger: Logger?
    private let count = Mutex(0)

    /// - Parameters:
    ///   - patience: How long a hook may take before it is reported; `nil` never reports one.
    ///   - observers: What is told of slow hooks.
    ///   - logger: Where slow hooks are logged.
    init(_ clock: LoadClock, patience: Duration?, observers: [any Swifty.Observer] = [], logger: Logger? = nil) {
        self.clock = clock
        self.patience = patience
        self.observers = observers
        self.logger = logger
    }

    /// How many hooks go on although their loads have ended.
    var leftBehind: Int { count.withLock { max(0, $0) } }

    /// A hook goes on, or has ended, of which its load had let go.
    func countLeftBehind(_ change: Int) {
        count.withLock { $0 += change }
    }

    /// Calls a closure when a hook that begins now has taken long, unless the returned timer is cancelled.
    func watch(_ report: @escaping @Sendable () -> Void) -> LoadClock.Timer? {
        patience.map { clock.timer(at: clock.now() + $0, ring: report) }
    }

    /// Tells of a slow hook.
    func report(_ name: String, _ load: Swifty.ObservedLoad) {
        for observer in observers { observer.observe(.hookTakesLong(name: name), of: load) }
        logger?.warning("\(load.draft.summary): \(name) takes long")
    }
}
