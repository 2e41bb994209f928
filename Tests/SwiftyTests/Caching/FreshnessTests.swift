// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftySupport
import TestSupport
import Testing

@testable import Swifty

@Suite("The freshness of a response", .timeLimit(.minutes(15)))
struct FreshnessTests {
    private let received = DateClock.start.timeIntervalSince1970

    private func freshness(
        _ fields: [(String, String)],
        status: Int = 200,
        delay: Double = 0,
        ownLifetime: Double? = nil
    ) -> Freshness {
        let times = CacheTimes(requested: received - delay, received: received)
        return Freshness(TransportResponse(status, fields).head, times, ownLifetime: ownLifetime)
    }

    private static func date(_ seconds: Double) -> String { DateClock.start.addingTimeInterval(seconds).httpText }

    @Test(
        "is that of max-age, else of Expires, else a tenth of the time since the last change",
        arguments: [
            ([("Cache-Control", "max-age=60")], 60), ([("Cache-Control", #"MAX-AGE="60""#)], 60),
            ([("Cache-Control", "max-age=60"), ("Expires", date(10))], 60),
            ([("Cache-Control", "max-age=99999999999999999999")], 2_147_483_648),
            ([("Cache-Control", "max-age=-1")], 0), ([("Cache-Control", "max-age=1.5")], 0),
            ([("Cache-Control", "max-age")], 0), ([("Cache-Control", "max-age=60, max-age=30")], 0),
            ([("Cache-Control", "max-age=60"), ("Cache-Control", "max-age=60")], 60),
            ([("Cache-Control", #"a="max-age=60", s-maxage=9"#)], 0),
            ([("Cache-Control", "max-age=60 x, y")], 0), ([("Cache-Control", ",,max-age=60 , public,")], 60),
            ([("Expires", date(90))], 90), ([("Expires", date(90)), ("Date", date(30))], 60), ([("Expires", "0")], 0),
            ([("Expires", date(-90))], 0), ([("Expires", "Thu, 01-Jan-2026 00:09:00 GMT")], 0),
            ([("Expires", date(90)), ("Expires", date(90))], 0), ([("Last-Modified", date(-1000))], 100),
            ([("Last-Modified", date(-100_000_000))], 86_400), ([("Last-Modified", date(100))], 0), ([], 0),
        ] as [([(String, String)], Double)]
    )
    func lifetime(fields: [(String, String)], seconds: Double) {
        #expect(freshness(fields).lifetime == seconds)
    }

    @Test("has no lifetime of its own for a status that is not cacheable by default, unless it is public")
    func heuristic() {
        let fields = [("Last-Modified", Self.date(-1000))]
        #expect(freshness(fields, status: 404).lifetime == 100)
        #expect(freshness(fields, status: 403).lifetime == 0)
        #expect(freshness(fields + [("Cache-Control", "public")], status: 403).lifetime == 100)
        #expect(freshness([("Cache-Control", "max-age=5")], status: 403).lifetime == 5)
        #expect(freshness([("Cache-Control", "max-age=5, no-cache")], ownLifetime: 9).lifetime == 9)
        #expect(!freshness([("Cache-Control", "no-cache")], ownLifetime: 9).isAlwaysValidated)
    }

    @Test(
        "counts the time on the way, in other caches, and since the arrival",
        arguments: [
            ([], 0, 0), ([("Age", "30")], 0, 30), ([("Age", "30")], 5, 35), ([("Date", date(-20))], 5, 20),
            ([("Date", date(20))], 5, 5), ([("Age", "-3")], 0, 0), ([("Age", "7, 9")], 0, 7), ([("Age", "x")], 2, 2),
        ] as [([(String, String)], Double, Double)]
    )
    func age(fields: [(String, String)], delay: Double, seconds: Double) {
        let freshness = freshness(fields, delay: delay)
        #expect(freshness.age(at: received) == seconds)
        #expect(freshness.age(at: received + 4) == seconds + 4)
    }

    @Test("is unknown after the clock was set back, so the response is stale")
    func clockSetBack() {
        let freshness = freshness([("Cache-Control", "max-age=60, stale-if-error=9, stale-while-revalidate=9")])
        #expect(freshness.rest(at: received - 1) == -.infinity)
        #expect(freshness.rest(at: received + 86_400) == 60 - 86_400)
    }
}

@Suite("A date that is a promise", .timeLimit(.minutes(15)))
struct ExactDateTests {
    @Test(
        "is in one of the three forms of HTTP, in any case",
        arguments: [
            "Sun, 06 Nov 1994 08:49:37 GMT", "sun, 06 NOV 1994 08:49:37 gmt", "Sunday, 06-Nov-94 08:49:37 GMT",
            "Sun Nov  6 08:49:37 1994",
        ]
    )
    func exact(text: String) {
        #expect(HTTPDate.secondsSince1970(exactly: text[...]) == 784_111_777)
    }

    @Test(
        "is refused in any other form",
        arguments: [
            "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 06 Nov 94 08:49:37 GMT", "Sun 06 Nov 1994 08:49:37 GMT",
            "Sun, 06  Nov 1994 08:49:37 GMT", "Sun, 06-Nov-1994 08:49:37 GMT", "Sun, 06 Nov 1994 8:49:37 GMT",
            "Sun, 6 Nov 1994 08:49:37 GMT", "", "0", "-1", "Sun, 31 Feb 1994 08:49:37 GMT",
            "06 Nov 1994 08:49:37 GMT x",
        ]
    )
    func inexact(text: String) {
        #expect(HTTPDate.secondsSince1970(exactly: text[...]) == nil)
    }
}
