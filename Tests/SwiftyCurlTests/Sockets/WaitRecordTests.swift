// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import SwiftyCurl

@Suite("What the waits of a loop tell about a socket", .timeLimit(.minutes(15)))
struct WaitRecordTests {
    @Test("is that it has nothing to read, once a later wait is handled, and for a short time")
    func silence() {
        var record = WaitRecord()
        #expect(!record.isSilent(unknownSince: 0, at: 0))
        record.beginEvents()
        #expect(!record.isSilent(unknownSince: 0, at: 1_000), "its event may not be handled yet")
        record.endEvents(ofWaitUntil: 1_000, isComplete: true)
        #expect(record.isSilent(unknownSince: 0, at: 1_000))
        #expect(record.isSilent(unknownSince: 0, at: 1_000 + WaitRecord.usualValidity - 1))
        #expect(!record.isSilent(unknownSince: 0, at: 1_000 + WaitRecord.usualValidity))
        // Watched, or read only in part, after the wait.
        #expect(!record.isSilent(unknownSince: 1, at: 1_000))
        #expect(!record.isSilent(unknownSince: .max, at: 1_000), "it is not watched")
        record.beginEvents()
        #expect(!record.isSilent(unknownSince: 0, at: 1_000), "the next wait replaces the earlier one")
    }

    @Test("is nothing if there was no room for all events, or a signal has ended the wait")
    func incomplete() {
        var record = WaitRecord()
        record.beginEvents()
        record.endEvents(ofWaitUntil: 0, isComplete: false)
        #expect(!record.isSilent(unknownSince: 0, at: 0))
    }
}
