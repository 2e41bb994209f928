// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import SwiftyCommand

@Suite("JSON text", .timeLimit(.minutes(15)))
struct JSONTextTests {
    @Test("is indented without a change to its values")
    func indentation() throws {
        let json = try #require(JSONText(#" {"a" : [1.10, 2E+3,[]], "b":{}, "a":"\u00e9\n", "c":null}"#.utf8))
        #expect(json.formatted(isIndented: false) == #"{"a":[1.10,2E+3,[]],"b":{},"a":"\u00e9\n","c":null}"#)
        #expect(
            json.formatted() == """
                {
                    "a": [
                        1.10,
                        2E+3,
                        []
                    ],
                    "b": {},
                    "a": "\\u00e9\\n",
                    "c": null
                }
                """
        )
    }

    @Test(
        "is nothing else",
        arguments: [
            "", "{", "[1,]", "{\"a\"}", "{\"a\":1,}", "[1 2]", "01", "1.", "-", "+1", "nul", "\"\u{1}\"", #""\x""#,
            #""\u12g4""#, "[}", "{]", "1 2", "{1:2}", "[1]]", "{\"a\":}", ",", "'a'", "NaN", "{\"a\":1]",
        ]
    )
    func mistakes(text: String) {
        #expect(JSONText(text.utf8) == nil, "\(text)")
    }

    @Test("may be any value", arguments: ["1", "-0.5e-7", "\"\"", "true", " null ", "[[],{}]", "{\"\":{\"\":[]}}"])
    func values(text: String) {
        #expect(JSONText(text.utf8) != nil)
    }

    @Test("is coloured by the role of each word")
    func colours() throws {
        let text = try #require(JSONText(#"{"a":1}"#.utf8)).formatted(isIndented: false, style: Style())
        #expect(text == "{\u{1B}[34m\"a\"\u{1B}[0m:\u{1B}[36m1\u{1B}[0m}")
    }

    @Test("has a limit on its depth")
    func depth() {
        #expect(JSONText(String(repeating: "[", count: 100_000).utf8) == nil)
    }

    @Test("is written with members in order, escapes, and times in seconds")
    func writing() {
        let value = JSONValue.members([
            "z": .string("a\"\\\n\u{1}é"), "a": .array([.integer(-1), .number(0.25), .number(3), .number(.nan)]),
            "none": nil, "null": .optional(String?.none), "t": .seconds(.microseconds(1_500_001)),
        ])
        #expect(value.text == #"{"z":"a\"\\\n\u0001é","a":[-1,0.25,3,null],"null":null,"t":1.500001}"#)
    }
}
