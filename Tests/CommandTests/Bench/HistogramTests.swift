// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import SwiftyCommand

@Suite("The histogram", .timeLimit(.minutes(15)))
struct HistogramTests {
    @Test("finds percentiles with three significant digits, over the whole range")
    func precision() {
        var random = SystemRandomNumberGenerator()
        for magnitude in 1...45 {
            var histogram = Histogram()
            let values = (0..<1000).map { _ in Int.random(in: 0..<(1 << magnitude), using: &random) }.sorted()
            for value in values { histogram.record(value) }
            for (fraction, exact) in [(0.5, values[499]), (0.9, values[899]), (0.99, values[989]), (1, values[999])] {
                let found = histogram.value(at: fraction)
                #expect(found >= exact && found <= exact + exact / 1024 + 1, "\(found) for \(exact)")
            }
            #expect(histogram.count == 1000 && histogram.largest == values[999])
        }
    }

    @Test("is exact for small values and for the largest")
    func exactness() {
        var histogram = Histogram()
        for value in 0...2000 { histogram.record(value) }
        #expect(histogram.value(at: 0.5) == 1000 && histogram.value(at: 1) == 2000 && histogram.mean == 1000)
    }

    @Test("takes any value, and says 0 when it is empty")
    func extremes() {
        var histogram = Histogram()
        #expect(histogram.value(at: 0.99) == 0 && histogram.mean == 0)
        for value in [Int.min, -1, 0, Int.max] { histogram.record(value) }
        #expect(histogram.count == 4 && histogram.value(at: 0) == 0 && histogram.value(at: 1) == (1 << 46) - 1)
    }
}
