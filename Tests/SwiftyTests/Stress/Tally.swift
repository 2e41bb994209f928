// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Swifty
import Synchronization

/// Counts per number, from any thread.
final class Tally: Sendable {
    private let counts: Mutex<[Int]>

    init(_ size: Int) {
        counts = Mutex(Array(repeating: 0, count: size))
    }

    var values: [Int] { counts.withLock { $0 } }
    var total: Int { values.reduce(0, +) }

    /// Counts a number, and returns its count so far.
    @discardableResult
    func count(_ index: Int) -> Int {
        counts.withLock { counts in
            guard counts.indices.contains(index) else { return 0 }
            counts[index] += 1
            return counts[index]
        }
    }
}
