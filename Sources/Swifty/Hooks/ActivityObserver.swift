// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// An observer that tells whether any load is in flight, for an indicator of activity.
///
///     let activity = ActivityObserver { isActive in indicator.isHidden = !isActive }
///     let swifty = Swifty { $0.use(activity) }
///
/// Used by several `Swifty`s, it tells whether a load of any of them is in flight.
public final class ActivityObserver: Swifty.Observer {
    private let count = Mutex(0)
    private let onChange: @Sendable (_ isActive: Bool) -> Void

    /// Makes an observer.
    ///
    /// - Parameter onChange: Called with `true` when a load begins and none was in flight, and with `false` when the
    ///   last one has ended: on the threads of the loads, in this order, one call at a time. It must not block, and
    ///   must not load.
    public init(onChange: @escaping @Sendable (_ isActive: Bool) -> Void) {
        self.onChange = onChange
    }

    /// Whether any load is in flight.
    public var isActive: Bool { count.withLock { $0 > 0 } }

    /// Counts the loads; called by the `Swifty`.
    public func observe(_ event: Swifty.Event, of load: Swifty.ObservedLoad) {
        switch event {
        case .created: change(by: 1)
        case .finished: change(by: -1)
        default: break
        }
    }

    private func change(by difference: Int) {
        // Called under the lock, so that the calls have the order of the changes.
        count.withLock { count in
            let wasActive = count > 0
            count += difference
            if wasActive != (count > 0) { onChange(count > 0) }
        }
    }
}
