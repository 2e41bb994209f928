// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import SwiftyCommand

@Suite("Latencies", .timeLimit(.minutes(15)))
struct LatenciesTests {
    @Test("have percentiles with three significant digits, over the whole range")
    func precision() {
        var random = SystemRandomNumberGenerator()
        for magnitude in 1...45 {
            var latencies = Latencies()
            let values = (0..<1000).map { _ in Int.random(in: 0..<(1 << magnitude), using: &random) }.sorted()
            for value in values { latencies.record(value) }
            for (fraction, exact) in [(0.5, values[499]), (0.9, values[899]), (0.99, values[989]), (1, values[999])] {
                let found = latencies.value(at: fraction)
                #expect(found >= exact, "\(found) for \(exact)")
                #expect(found <= exact + exact / 1024 + 1, "\(found) for \(exact)")
            }
            #expect(latencies.count == 1000)
            #expect(latencies.value(at: 1) == values[999])
        }
    }

    @Test("are exact for small values and for the largest")
    func exactness() {
        var latencies = Latencies()
        for value in 0...2000 { latencies.record(value) }
        #expect(latencies.value(at: 0.5) == 1000)
        #expect(latencies.value(at: 1) == 2000)
        #expect(latencies.mean == 1000)
    }

    @Test("may be of any length, and are 0 without values")
    func extremes() {
        var latencies = Latencies()
        #expect(latencies.value(at: 0.99) == 0)
        #expect(latencies.mean == 0)
        for value in [Int.min, -1, 0, Int.max] { latencies.record(value) }
        #expect(latencies.count == 4)
        #expect(latencies.value(at: 0) == 0)
        #expect(latencies.value(at: 1) == 1 << 46)
    }
}
