// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTransport
import Testing

@testable import SwiftyCurl

@Suite("Deadlines of a transfer")
struct TransferDeadlinesTests {
    @Test("nothing is due before the connection is ready")
    func notReady() {
        let deadlines = TransferDeadlines(Timeouts(firstByte: .seconds(1), idle: .seconds(1)))
        #expect(deadlines.isLimited)
        #expect(deadlines.next == nil)
        #expect(deadlines.overdue(at: .max) == nil)
    }

    @Test("the first byte ends its own limit, and activity moves the limit of silence")
    func activity() {
        var deadlines = TransferDeadlines(Timeouts(firstByte: .nanoseconds(100), idle: .nanoseconds(50)))
        deadlines.connectionIsReady(at: 1000)
        #expect(deadlines.next == 1050)
        deadlines.sent(at: 1080)
        #expect(deadlines.next == 1100)
        #expect(deadlines.overdue(at: 1099) == nil)
        #expect(deadlines.overdue(at: 1100) == .firstByte(.nanoseconds(100)))
        deadlines.received(at: 1090)
        #expect(deadlines.next == 1140)
        #expect(deadlines.overdue(at: 1139) == nil)
        #expect(deadlines.overdue(at: 1140) == .idle(.nanoseconds(50)))
    }

    @Test("limits beyond the end of time do not overflow")
    func overflow() {
        var deadlines = TransferDeadlines(Timeouts(idle: .seconds(Int64.max)))
        deadlines.connectionIsReady(at: 1)
        #expect(deadlines.next.map { $0 > 9_000_000_000_000_000_000 } == true)
    }

    @Test("milliseconds are rounded up, and never the zero that means libcurl's default")
    func milliseconds() {
        #expect(Duration.zero.millisecondsForCurl == 1)
        #expect(Duration.seconds(-1).millisecondsForCurl == 1)
        #expect(Duration.microseconds(1500).millisecondsForCurl == 2)
        #expect(Duration.seconds(2).millisecondsForCurl == 2000)
        #expect(Duration.seconds(Int64.max).millisecondsForCurl == Int(Int32.max))
    }
}
