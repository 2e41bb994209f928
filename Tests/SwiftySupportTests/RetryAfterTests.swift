// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import SwiftySupport

@Suite("Retry-After", .timeLimit(.minutes(15)))
struct RetryAfterTests {
    /// Sun, 06 Nov 1994 08:49:37 GMT
    private let now = Date(timeIntervalSince1970: 784_111_777)

    @Test("is a number of seconds", arguments: [("0", 0), ("1", 1), (" 120 ", 120), ("0007", 7)])
    func seconds(value: String, expected: Int) {
        #expect(RetryAfter.delay(value, now: now) == .seconds(expected))
    }

    @Test(
        "is a date in any of the three forms",
        arguments: [
            "Sun, 06 Nov 1994 08:50:07 GMT", "Sunday, 06-Nov-94 08:50:07 GMT", "Sun Nov  6 08:50:07 1994",
        ]
    )
    func date(value: String) {
        #expect(RetryAfter.delay(value, now: now) == .seconds(30))
    }

    @Test("in the past means no wait")
    func past() {
        #expect(RetryAfter.delay("Sun, 06 Nov 1994 08:49:00 GMT", now: now) == .zero)
        #expect(RetryAfter.delay("Thu, 01 Jan 1970 00:00:00 GMT", now: now) == .zero)
    }

    @Test(
        "that is extremely long is bounded",
        arguments: ["1000000000", "99999999999999999999999", "Sun, 06 Nov 9994 08:49:37 GMT"]
    )
    func huge(value: String) throws {
        let delay = try #require(RetryAfter.delay(value, now: now))
        #expect(delay >= .seconds(300_000_000))
        #expect(delay <= .seconds(315_360_000))
    }

    @Test(
        "that is neither a number nor a date is ignored",
        arguments: [
            "", " ", "-1", "+1", "1.5", "1e3", "soon", "0x10", "1,2", "٣", "Sun, 06 Nov 1994",
            "Sun, 6 Foo 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 08:49:37 PST", "Sun, 06 Nov 1994 25:00:00 GMT", "Sun, 06 Nov 1994 08:-1:37 GMT",
            "Sun, 99 Nov 1994 08:49:37 GMT", String(repeating: "9", count: 100),
        ]
    )
    func garbage(value: String) {
        #expect(RetryAfter.delay(value, now: now) == nil)
    }
}
