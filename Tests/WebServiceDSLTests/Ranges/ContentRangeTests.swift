// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTransport
import Testing

@testable import WebServiceDSL

@Suite("Content-Range", .timeLimit(.minutes(15)))
struct ContentRangeTests {
    @Test(
        "is parsed to the byte",
        arguments: [
            ("bytes 0-99/1000", 0..<100, 1000), ("BYTES  5-5/6", 5..<6, 6), ("bytes 0-0/*", 0..<1, nil),
            ("bytes */1000", nil, 1000),
            ("bytes 0-999999999999999998/*", 0..<999_999_999_999_999_999, nil),
        ] as [(String, Range<Int>?, Int?)]
    )
    func contentRange(value: String, bytes: Range<Int>?, total: Int?) throws {
        let range = try #require(ContentRange(value))
        #expect(range.bytes == bytes)
        #expect(range.total == total)
    }

    @Test(
        "has no range if it is malformed",
        arguments: [
            "bytes */*", "bytes 0-99", "bytes 1-0/10", "bytes 0-10/10", "bytes -1-5/10", "bytes +1-5/10",
            "bytes 0 - 5/10", "bytes=0-5/10", "items 0-5/10", "bytes 0-5/1/0", "bytes 0-9223372036854775807/*", "",
            "bytes", "bytes 0-99/1000, bytes 0-99/1000", "bytes 0-5/", "bytes /5", "bytes 0-5/-6",
        ]
    )
    func malformedContentRange(value: String) {
        #expect(ContentRange(value) == nil)
    }

    @Test("counts if it is the only one")
    func twoContentRanges() {
        var headers: HTTPFields = [.contentRange: "bytes 0-99/1000"]
        #expect(ContentRange(ResponseHead(statusCode: 206, headers: headers)) != nil)
        headers.append(HTTPField(name: .contentRange, value: "bytes 0-99/1000"))
        #expect(ContentRange(ResponseHead(statusCode: 206, headers: headers)) == nil)
    }
}
