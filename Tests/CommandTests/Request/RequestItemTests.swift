// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import SwiftyCommand

@Suite("Items", .timeLimit(.minutes(15)))
struct RequestItemTests {
    @Test(
        "are distinguished by their first separator, the longest at that position",
        arguments: [
            ("X-A:1", RequestItem.header(name: "X-A", value: "1")),
            ("X-A: 1 2", .header(name: "X-A", value: "1 2")),
            ("Referer:http://a.test/?x=y", .header(name: "Referer", value: "http://a.test/?x=y")),
            ("X-A:", .removal(name: "X-A")), ("User-Agent: ", .removal(name: "User-Agent")),
            ("X.Y: 80", .header(name: "X.Y", value: "80")), ("X.Y:80x", .header(name: "X.Y", value: "80x")),
            ("X-Empty;", .header(name: "X-Empty", value: "")),
            ("q==a=b", .query(name: "q", value: "a=b")),
            ("name=Ada", .text(name: .plain("name"), value: "Ada")),
            ("name=", .text(name: .plain("name"), value: "")),
            ("t=a:b@c", .text(name: .plain("t"), value: "a:b@c")),
            ("age:=36", .json(name: .plain("age"), text: "36")),
            ("photo@sun.jpg", .upload(name: .plain("photo"), path: "sun.jpg")),
            ("text=@a.txt", .textFile(name: .plain("text"), path: "a.txt")),
            ("list:=@a.json", .jsonFile(name: .plain("list"), path: "a.json")),
            (#"a\:b=c"#, .text(name: .plain("a:b"), value: "c")),
            (#"a\=\@=c\d"#, .text(name: .plain("a=@"), value: #"c\d"#)),
            (#"a\\b\[c=d\\e"#, .text(name: FieldName(text: #"a\b\[c"#, path: #"a\\b\[c"#), value: #"d\e"#)),
            ("=x", .text(name: .plain(""), value: "x")),
            (":=[1]", .json(name: .plain(""), text: "[1]")),
            ("n=x;", .text(name: .plain("n"), value: "x;")),
        ]
    )
    func kinds(argument: String, item: RequestItem) throws {
        #expect(try RequestItem(argument) == item)
    }

    @Test(
        "need a name and a separator",
        arguments: ["nothing", "==x", ":x", "@x", ";", "", "Host:", "content-length:"]
    )
    func mistakes(argument: String) {
        #expect(throws: UsageError.self) { try RequestItem(argument) }
    }

    @Test(
        "are not second URLs",
        arguments: [
            "https://a.test", "http://a.test/x=y", "other.example:8080/b", "other.example:8080", "a.test:80?x",
            "localhost:3000/x", "LOCALHOST:3000", ":3000/x", ":3000", ":/x",
        ]
    )
    func secondURLs(argument: String) throws {
        let error = #expect(throws: UsageError.self) { try RequestItem(argument) }
        #expect(error?.message == "\"\(argument)\" is a second URL.")
    }

    @Test("are shown without their secrets where they are second URLs")
    func secretsOfSecondURLs() throws {
        let error = #expect(throws: UsageError.self) { try RequestItem("https://u:canary@a.test/?token=canary") }
        #expect(error?.message.contains("a.test") == true)
        #expect(error?.message.contains("canary") == false)
    }
}

extension FieldName {
    /// A name without escapes.
    fileprivate static func plain(_ text: String) -> FieldName { FieldName(text: text, path: text) }
}
