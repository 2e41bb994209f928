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

    /// Waits until nothing has been counted for a while.
    func settle() async throws {
        var (last, repetitions) = (-1, 0)
        try await eventually("the count settles") {
            try await Task.sleep(for: .milliseconds(5))
            let now = value
            (last, repetitions) = (now, now == last ? repetitions + 1 : 0)
            return repetitions == 40
        }
    }
}
