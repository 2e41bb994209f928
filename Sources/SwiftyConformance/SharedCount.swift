// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A number that other threads count up.
final class SharedCount: Sendable {
    private let count = Mutex(0)

    var value: Int { count.withLock { $0 } }

    func increment() {
        count.withLock { $0 += 1 }
    }

    /// Waits until nothing has been counted for half a second.
    func settle() async throws {
        var (last, since) = (value, ContinuousClock.now)
        try await eventually("the count settles") {
            if value != last { (last, since) = (value, .now) }
            return ContinuousClock.now - since > .milliseconds(500)
        }
    }
}
