// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// How much is sent, how fast, and when it ends.
struct BenchPlan {
    /// How many loads; `nil` for as many as fit in the duration.
    var loads: Int?
    var concurrency: Int
    var duration: Duration?
    /// Loads a second; `nil` for as fast as they come back.
    var rate: Double?
    /// The share of loads that are cancelled.
    var cancelledShare = 0.0
    /// In lower case.
    var expectedSHA256: String?

    /// When a load is due, counted from the start; `nil` for at once.
    func due(_ number: Int) -> Duration? {
        rate.map { .seconds(Double(number) / $0) }
    }
}
