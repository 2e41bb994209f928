// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Histogram

/// Latencies in nanoseconds, each kept to three significant digits.
struct Latencies: Sendable {
    /// More than 19 hours; what is longer counts as this.
    private static let longest: UInt64 = 1 << 46

    private var histogram = Histogram<UInt64>(highestTrackableValue: longest, numberOfSignificantValueDigits: .three)

    /// Apart from the histogram, which would go through all of its counts for a mean.
    private var sum = 0.0

    /// Counts a latency; less than nothing counts as nothing.
    mutating func record(_ nanoseconds: Int) {
        let value = min(UInt64(clamping: nanoseconds), Self.longest)
        histogram.record(value)
        sum += Double(value)
    }

    /// How many were recorded.
    var count: Int { Int(clamping: histogram.totalCount) }

    /// The mean of all, 0 if there are none.
    var mean: Double { count == 0 ? 0 : sum / Double(count) }

    /// The latency that a share of all does not exceed, 0 if there are none; the longest is exact.
    ///
    /// - Parameter fraction: 0...1; 0.99 for the 99th percentile.
    func value(at fraction: Double) -> Int {
        if count == 0 { return 0 }
        return Int(clamping: min(histogram.valueAtPercentile(fraction * 100), histogram.maxRecorded))
    }
}
