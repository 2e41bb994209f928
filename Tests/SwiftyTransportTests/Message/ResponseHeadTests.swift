// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTransport
import Testing

@Suite("The head of a response", .timeLimit(.minutes(15)))
struct ResponseHeadTests {
    @Test(
        "gives the value of a field by its name, in any case",
        arguments: [("Link", "<a>, <b>"), ("LINK", "<a>, <b>"), ("etag", "\"x\""), ("X-None", nil), ("no token", nil)]
    )
    func fields(_ name: String, _ value: String?) {
        let raw = Array("Link: <a>\r\nETag: \"x\"\r\nlink: <b>\r\n".utf8)
        let head = ResponseHead(statusCode: 200, reasonPhrase: "OK", httpVersion: .http1_1, rawFields: raw)
        #expect(head[name] == value)
    }
}
