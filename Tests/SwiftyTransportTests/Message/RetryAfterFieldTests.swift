// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyTransport
import Testing

@Suite("The wait that Retry-After asks for", .timeLimit(.minutes(15)))
struct RetryAfterFieldTests {
    @Test(
        "is a number of seconds or the time until a date, under any status",
        arguments: [
            ("120", 120), (" 0 ", 0), ("Sun, 06 Nov 1994 08:50:37 GMT", 60), ("Sun, 06 Nov 1994 08:00:00 GMT", 0),
            ("99999999999999999999", 315_360_000), ("-1", nil), ("soon", nil), ("", nil), ("1.5", nil),
        ] as [(String, Int?)]
    )
    func values(text: String, seconds: Int?) {
        let now = Date(timeIntervalSince1970: 784_111_777)
        for status in [200, 301, 413, 503] {
            let head = ResponseHead(statusCode: status, headers: [.retryAfter: text])
            #expect(head.retryAfter(from: now) == seconds.map { .seconds($0) })
        }
        #expect(ResponseHead(statusCode: 503).retryAfter() == nil)
    }
}
