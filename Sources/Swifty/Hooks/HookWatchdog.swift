// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Watches the hooks of one `Swifty`: which are slow, and how many outlive their loads.
final class HookWatchdog: Sendable {
    private let clock: LoadClock
    private let patience: Duration?
    private let count = Mutex(0)
    private let onChange: @Sendable (HookWatchdog) -> Void

    /// - Parameters:
    ///   - patience: The time that a hook may take before it is reported; `nil` reports none.
    ///   - onChange: Called after each change of the number of hooks that outlive their loads.
    init(_ clock: LoadClock, patience: Duration?, onChange: @escaping @Sendable (HookWatchdog) -> Void = { _ in }) {
        self.clock = clock
        self.patience = patience
        self.onChange = onChange
    }

    /// The number of running hooks whose loads have ended.
    var leftBehind: Int { count.withLock { max(0, $0) } }

    /// Counts a hook that outlives its load (1), or the end of one (-1).
    func countLeftBehind(_ change: Int) {
        count.withLock { $0 += change }
        onChange(self)
    }

    /// Calls a closure when what begins now exceeds the patience, unless the returned timer is cancelled.
    func watch(_ report: @escaping @Sendable () -> Void) -> LoadClock.Timer? {
        patience.map { clock.timer(at: clock.now() + $0, ring: report) }
    }
}
