// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import SwiftyCurl

@Suite("The phases of a connection that is made", .timeLimit(.minutes(15)))
struct ConnectTimingsTests {
    private let timings = ConnectTimings(nameLookup: 10_000, connect: 15_000, secured: 40_000, isConnected: true)

    @Test(
        "are those that a transfer has waited for, if another one has begun the connection",
        arguments: [
            (100, [10, 5, 25]), (40, [10, 5, 25]), (35, [5, 5, 25]), (30, [0, 5, 25]), (27, [0, 2, 25]),
            (20, [0, 0, 20]), (0, [0, 0, 0]),
        ]
    )
    func last(milliseconds: Int, phases: [Int]) {
        let part = timings.last(.milliseconds(milliseconds))
        let durations = [part.lookupDuration, part.connectDuration, part.tlsDuration]
        #expect(durations == phases.map { .milliseconds($0) })
        #expect(part.isConnected)
    }

    @Test("end with the connection without TLS")
    func plain() {
        var plain = timings
        plain.secured = 0
        let part = plain.last(.milliseconds(7))
        #expect((part.lookupDuration, part.connectDuration) == (.milliseconds(2), .milliseconds(5)))
        #expect(part.tlsDuration == .zero)
    }
}
