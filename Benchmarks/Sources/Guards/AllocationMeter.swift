// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CAllocations

/// Counts allocations.
enum AllocationMeter {
    private static let rounds = 40
    private static let countOfRound = 50

    /// The allocations of the work, each time that it is done.
    ///
    /// The least of several rounds counts, because new threads and filled caches only add.
    static func perRun(_ work: (_ count: Int) async throws -> Void) async rethrows -> Double {
        try await work(countOfRound)
        var least = UInt64.max
        for _ in 0..<rounds {
            let before = allocations_count()
            try await work(countOfRound)
            least = min(least, allocations_count() - before)
        }
        return Double(least) / Double(countOfRound)
    }
}
