// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import SwiftyCommand

@Suite("A line of a batch", .timeLimit(.minutes(15)))
struct BatchLineTests {
    @Test("needs only a URL")
    func short() throws {
        let plan = try BatchLine(#"{"url": ":3000/x"}"#).plan
        #expect(plan == RequestPlan(method: "GET", url: "http://localhost:3000/x"))
    }

    @Test("has fields as an object or as pairs, and content of any kind")
    func whole() throws {
        let object = try BatchLine(
            #"{"method":"put","url":"https://a.test","headers":{"B":"1","A":2},"body":{"x":[1]}}"#
        )
        #expect(object.plan.method == "PUT")
        #expect(object.plan.headers.map(\.name) == ["A", "B"])
        #expect(object.plan.content == .text(#"{"x":[1]}"#, mediaType: "application/json"))
        let pairs = try BatchLine(#"{"url":"https://a.test","headers":[["B","1"],["B","2"]],"body":"text"}"#)
        #expect(pairs.plan.headers.map(\.value) == ["1", "2"])
        #expect(pairs.plan.method == "POST")
        #expect(pairs.plan.content == .text("text", mediaType: "text/plain; charset=utf-8"))
        let bytes = try BatchLine(#"{"url":"https://a.test","body":"/wA=","bodyEncoding":"base64"}"#)
        #expect(bytes.plan.content == .data(Data([0xFF, 0]), mediaType: "application/octet-stream"))
    }

    @Test("is rejected otherwise", arguments: ["", "[]", "{}", #"{"url":1}"#, #"{"url":"a","headers":[1]}"#])
    func mistakes(line: String) {
        #expect(throws: UsageError.self) { try BatchLine(line) }
    }
}
