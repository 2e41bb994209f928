// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTransport
import TestSupport
import Testing

@testable import SwiftyCurl

@Suite("The streams of an HTTP/2 connection", .timeLimit(.minutes(15)))
struct HTTP2StreamsTests {
    @Test("are found by their numbers, whichever come and go", arguments: 0..<20 as Range<UInt64>)
    func model(seed: UInt64) throws {
        let transfer = try Transfer(
            NetworkRequest(target: TargetURI("https://a.test/")),
            in: CurlEnvironment(CurlTransport.Configuration())
        )
        var random = SplitMix(seed: seed)
        var streams = HTTP2Streams()
        var expected: Set<Int32> = []
        var number: Int32 = 1
        for _ in 0..<2000 {
            if expected.count < 3 || Bool.random(using: &random) && expected.count < 200 {
                streams.insert(HTTP2Stream(number: number, transfer: transfer))
                expected.insert(number)
                number += 2 * Int32.random(in: 1...9, using: &random)
            } else if let removed = expected.randomElement(using: &random) {
                expected.remove(removed)
                #expect(streams.remove(removed)?.number == removed)
            }
            #expect(streams.count == expected.count)
        }
        #expect((0...number).allSatisfy { streams[$0]?.number == (expected.contains($0) ? $0 : nil) })
        #expect(streams.remove(number) == nil)
        #expect(streams.removeAll().map(\.number) == expected.sorted())
        #expect(streams.isEmpty)
    }
}
