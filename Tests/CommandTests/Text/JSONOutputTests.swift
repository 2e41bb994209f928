// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport
import Testing

@testable import SwiftyCommand

@Suite("JSON of the command", .timeLimit(.minutes(15)))
struct JSONOutputTests {
    @Test("is coloured by the role of each word")
    func colours() throws {
        let text = try #require(JSONText(#"{"a":1}"#.utf8)).formatted(isIndented: false, style: Style())
        #expect(text == "{\u{1B}[34m\"a\"\u{1B}[0m:\u{1B}[36m1\u{1B}[0m}")
    }

    @Test("is written with members in order, escapes, and times in seconds")
    func writing() {
        let value = JSONOutput.members([
            "z": .string("a\"\\\n\u{1}é"), "a": .array([.integer(-1), .number(0.25), .number(3), .number(.nan)]),
            "none": nil, "null": .optional(String?.none), "t": .seconds(.microseconds(1_500_001)),
        ])
        #expect(value.text == #"{"z":"a\"\\\n\u0001é","a":[-1,0.25,3,null],"null":null,"t":1.500001}"#)
    }
}
