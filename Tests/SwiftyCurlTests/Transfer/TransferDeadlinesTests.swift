// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTransport
import Testing

@testable import SwiftyCurl

@Suite("Deadlines of a transfer", .timeLimit(.minutes(15)))
struct TransferDeadlinesTests {
    private static let long = Duration.seconds(1)

    @Test("before the connection is ready, only the connect and total limits count")
    func notReady() {
        let waiting = TransferDeadlines(NetworkRequest.Timeouts(firstByte: Self.long, idle: Self.long), start: 0)
        #expect(waiting.next == .max)
        #expect(waiting.overdue(at: .max) == nil)
        var limited = TransferDeadlines(
            NetworkRequest.Timeouts(total: .nanoseconds(300), connect: .nanoseconds(100)),
            start: 1000
        )
        #expect(limited.next == 1100)
        #expect(limited.overdue(at: 1099) == nil)
        #expect(limited.overdue(at: 1100) == .connect(.nanoseconds(100)))
        limited.connectionIsReady(at: 1090)
        #expect(limited.next == 1300)
        #expect(limited.overdue(at: 1299) == nil)
        #expect(limited.overdue(at: 1300) == .total(.nanoseconds(300)))
    }

    @Test("a repeated transfer has the full connect limit, and the rest of the total limit")
    func restart() {
        var deadlines = TransferDeadlines(
            NetworkRequest.Timeouts(total: .nanoseconds(300), connect: .nanoseconds(100), firstByte: .nanoseconds(150)),
            start: 1000
        )
        deadlines.connectionIsReady(at: 1010)
        deadlines = deadlines.restarted(at: 1150)
        #expect(deadlines.next == 1250)
        #expect(deadlines.overdue(at: 1249) == nil)
        deadlines = deadlines.restarted(at: 1240)
        #expect(deadlines.next == 1300)
        #expect(deadlines.overdue(at: 1300) == .total(.nanoseconds(300)))
    }

    @Test("the first byte ends its own limit, and activity moves the idle limit")
    func activity() {
        var deadlines = TransferDeadlines(
            NetworkRequest.Timeouts(firstByte: .nanoseconds(100), idle: .nanoseconds(50)),
            start: 0
        )
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

    @Test("limits beyond the clock's range do not overflow")
    func overflow() {
        var deadlines = TransferDeadlines(
            NetworkRequest.Timeouts(total: .seconds(Int64.max), idle: .seconds(Int64.max)),
            start: 1
        )
        deadlines.connectionIsReady(at: 1)
        #expect(deadlines.next > 9_000_000_000_000_000_000)
    }

    @Test("milliseconds are rounded up, and never the zero that means libcurl's default")
    func milliseconds() {
        #expect(Duration.zero.millisecondsForCurl == 1)
        #expect(Duration.seconds(-1).millisecondsForCurl == 1)
        #expect(Duration.microseconds(1500).millisecondsForCurl == 2)
        #expect(Duration.seconds(2).millisecondsForCurl == 2000)
        #expect(Duration.seconds(Int64.max).millisecondsForCurl == Int(Int32.max))
    }

    @Test("a duration of any length is a number of nanoseconds")
    func nanoseconds() {
        let longest = Duration.seconds(Int64.max) + .seconds(Int64.max)
        for (duration, expected) in [
            (longest, 9_000_000_000_000_000_000), (.seconds(Int64.max), 9_000_000_000_000_000_000),
            (.zero - longest, 0), (.seconds(-1), 0), (.nanoseconds(-1), 0), (.zero, 0), (.nanoseconds(1), 1),
            (.milliseconds(1500), 1_500_000_000),
        ] as [(Duration, Int64)] {
            #expect(duration.nanoseconds == expected)
        }
    }

    @Test("neither the reader's nor the source's pauses count as silence")
    func pauses() {
        let timeouts = NetworkRequest.Timeouts(
            total: nil,
            connect: nil,
            firstByte: .nanoseconds(10),
            idle: .nanoseconds(5)
        )
        var deadlines = TransferDeadlines(timeouts, start: 0)
        deadlines.connectionIsReady(at: 1)
        deadlines.awaitSource()
        #expect(deadlines.overdue(at: 1000) == nil)
        deadlines.sourceIsReady(at: 1000)
        #expect(deadlines.next == 1005)
        #expect(deadlines.overdue(at: 1010) == .firstByte(.nanoseconds(10)))
        deadlines.received(at: 1003)
        deadlines.awaitReader()
        #expect(deadlines.next == .max)
        deadlines.sent(at: 1004)
        #expect(deadlines.overdue(at: 5000) == nil)
        deadlines.readerIsReady(at: 5000)
        #expect(deadlines.overdue(at: 5005) == .idle(.nanoseconds(5)))
        deadlines.awaitReader()
        deadlines = deadlines.restarted(at: 6000)
        deadlines.connectionIsReady(at: 6000)
        #expect(deadlines.next == 6005)
    }
}
