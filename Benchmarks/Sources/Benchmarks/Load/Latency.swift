// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Histogram

/// The durations of loads.
struct Latency: Sendable {
    /// The time of each load in nanoseconds. A histogram for each of ten thousand workers would take more memory than
    /// the loads under test.
    private var durations: [Int64] = []

    /// Makes room for this many loads, so that none waits while the list of the others grows.
    mutating func reserve(_ count: Int) { durations.reserveCapacity(count) }

    mutating func record(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        record(nanoseconds: seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
    }

    mutating func record(nanoseconds: Int64) { durations.append(nanoseconds) }

    mutating func add(_ other: Latency) { durations += other.durations }

    /// A percentile in seconds, from an HdrHistogram with three significant digits.
    func percentiles(_ percents: [Double]) -> [Double] {
        var histogram = Histogram<UInt64>(numberOfSignificantValueDigits: .three)
        for duration in durations { histogram.record(UInt64(clamping: duration)) }
        return percents.map { Double(histogram.valueAtPercentile($0)) / 1e9 }
    }
}
