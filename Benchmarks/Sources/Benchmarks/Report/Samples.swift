// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The values of several turns.
struct Samples {
    /// The values, in ascending order.
    private let values: [Double]

    /// - Returns: `nil` if there are no values.
    init?(_ values: [Double]) {
        if values.isEmpty { return nil }
        self.values = values.sorted()
    }

    /// The quotients of each turn. The machine's speed drifts, and both values of a turn have seen the same drift.
    init?(_ values: [Double], over others: [Double]) {
        guard values.count == others.count, others.allSatisfy({ $0 > 0 }) else { return nil }
        self.init(zip(values, others).map { $0 / $1 })
    }

    var median: Double {
        let middle = values.count / 2
        return values.count % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2
    }

    var least: Double { values[0] }
    var most: Double { values[values.count - 1] }
}
