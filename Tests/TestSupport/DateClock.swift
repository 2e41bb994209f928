// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

package import Foundation
import Synchronization

/// A wall clock that a test sets.
package final class DateClock: Sendable {
    /// 2026-01-01 00:00:00 GMT.
    package static let start = Date(timeIntervalSince1970: 1_767_225_600)
    private let time = Mutex(start)

    package init() {}

    package var now: @Sendable () -> Date { { self.time.withLock { $0 } } }

    package func advance(by seconds: Double) {
        time.withLock { $0.addTimeInterval(seconds) }
    }
}
