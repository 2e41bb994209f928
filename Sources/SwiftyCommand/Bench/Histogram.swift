// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// Counts of values over a range of many orders of magnitude, each value kept to three significant digits.
///
/// The layout is HdrHistogram's: buckets that double in width, each of 1024 steps, so recording is a shift and an
/// increment, and no value is more than 1/1024 away from what is reported for it.
struct Histogram {
    private static let bits = 10
    private static let steps = 1 << bits
    /// 2⁴⁶ ns are more than 19 hours.
    private static let maximum = (1 << 46) - 1

    private var counts = [UInt64](repeating: 0, count: index(of: maximum) + 1)
    private(set) var count = 0
    /// The largest value, as it was recorded.
    private(set) var largest = 0
    private var sum = 0.0

    /// Counts a value; what is out of range is moved into it.
    mutating func record(_ value: Int) {
        let value = min(max(value, 0), Self.maximum)
        counts[Self.index(of: value)] += 1
        count += 1
        largest = max(largest, value)
        sum += Double(value)
    }

    /// The mean of all values, 0 if there are none.
    var mean: Double { count == 0 ? 0 : sum / Double(count) }

    /// The value that a share of all values does not exceed; 0 if there are none.
    ///
    /// - Parameter fraction: 0...1; 0.99 for the 99th percentile.
    func value(at fraction: Double) -> Int {
        let rank = UInt64(max(1, (fraction * Double(count)).rounded(.up)))
        var seen: UInt64 = 0
        for (index, count) in counts.enumerated() where count > 0 {
            seen += count
            if seen >= rank { return min(Self.highestValue(at: index), largest) }
        }
        return largest
    }

    /// The bucket is the number of doublings beyond twice the steps; inside of it the top bits are the step.
    private static func index(of value: Int) -> Int {
        let shift = max(0, Int.bitWidth - value.leadingZeroBitCount - bits - 1)
        return (shift << bits) + (value >> shift)
    }

    /// The largest value that is counted at an index.
    private static func highestValue(at index: Int) -> Int {
        let shift = max(0, (index >> bits) - 1)
        let step = index - (shift << bits)
        return ((step + 1) << shift) - 1
    }
}
