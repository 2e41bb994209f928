// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport
import Testing

@Suite("JSON text", .timeLimit(.minutes(15)))
struct JSONTextTests {
    @Test("is indented without a change to its values")
    func indentation() throws {
        let json = try #require(JSONText(#" {"a" : [1.10, 2E+3,[]], "b":{}, "a":"\u00e9\n", "c":null}"#.utf8))
        #expect(json.text(nil) == #"{"a":[1.10,2E+3,[]],"b":{},"a":"\u00e9\n","c":null}"#)
        #expect(
            json.text(4) == """
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

    @Test("has a limit on its depth")
    func depth() {
        #expect(JSONText(String(repeating: "[", count: 100_000).utf8) == nil)
    }

    @Test("gives members and elements as they are written, with their lines")
    func parts() throws {
        let object = try #require(
            JSONText(" {\"a\" : 1.10,\n\n \"b\\u0041\\\"\":\n[ 1, {\"c\": 2} ] , \"a\":\"}\"}".utf8)
        )
        #expect(object.isObject && !object.isArray)
        let members = object.parts(fromLine: 7)
        #expect(members.map(\.name) == ["a", "bA\"", "a"])
        #expect(
            members.map { String(decoding: $0.value.bytes, as: UTF8.self) } == ["1.10", "[ 1, {\"c\": 2} ]", "\"}\""]
        )
        #expect(members.map(\.line) == [7, 10, 10])
        let elements = members[1].value.parts(fromLine: 10)
        #expect(members[1].value.isArray && elements.map(\.name) == ["", ""] && elements[1].value.isObject)
        #expect(try #require(JSONText("[]".utf8)).parts().isEmpty)
        #expect(try #require(JSONText("\"[1]\"".utf8)).parts().isEmpty)
    }
}

extension JSONText {
    fileprivate func text(_ indentation: Int?) -> String {
        String(decoding: formatted(indentation: indentation), as: UTF8.self)
    }
}
