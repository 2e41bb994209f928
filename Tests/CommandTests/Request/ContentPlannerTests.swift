// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftySupport
import Testing

@testable import SwiftyCommand

@Suite("The content of items", .timeLimit(.minutes(15)))
struct ContentPlannerTests {
    private func content(
        _ items: [String],
        _ change: (inout ContentPlanner) -> Void = { _ in }
    ) throws -> PlannedContent? {
        var planner = ContentPlanner()
        planner.read = { path in path == "a.json" ? Data("[1, 2]".utf8) : Data("text\n".utf8) }
        change(&planner)
        return try planner.content(of: items.map { try RequestItem($0) })
    }

    @Test("is a JSON object in the order of the items, its numbers with all digits")
    func json() throws {
        let items = ["b=x\"y", "a:=12345678901234567890.10", "t=@a.txt", "l:=@a.json", "X-A:1", "q==1"]
        let text = #"{"b":"x\"y","a":12345678901234567890.10,"t":"text\n","l":[1,2]}"#
        #expect(try content(items) == .text(text, mediaType: "application/json"))
        #expect(throws: UsageError.self) { try content(["a:=nope"]) }
    }

    @Test("is not taken from a file that is not UTF-8", arguments: ["t=@latin.txt", "t:=@latin.txt"])
    func otherText(item: String) throws {
        for mode in [ContentPlanner.Mode.json, .form, .multipart] {
            let error = #expect(throws: UsageError.self) {
                try content([item]) {
                    $0.mode = mode
                    $0.read = { _ in Data([0x22, 0xE9, 0x22]) }
                }
            }
            #expect(error?.message == "The file latin.txt is not UTF-8.")
            #expect(error?.hint == "name@latin.txt uploads its bytes.")
        }
    }

    @Test("is a form or multipart if requested, and multipart if a file is uploaded")
    func forms() throws {
        let pairs = [RequestPlan.Pair(name: "a", value: "1"), .init(name: "b", value: "ü &")]
        #expect(try content(["a=1", "b=ü &"]) { $0.mode = .form } == .form(pairs))
        #expect(FormContent.text(pairs.map { ($0.name, $0.value) }) == "a=1&b=%C3%BC%20%26")
        let parts = [PlannedContent.Part(name: "a", content: .text("1")), .init(name: "f", content: .file("x.png"))]
        #expect(try content(["a=1", "f@x.png"]) == .multipart(parts))
        #expect(try content(["a=1", "f@x.png"]) { $0.mode = .form } == .multipart(parts))
        #expect(throws: UsageError.self) { try content(["f@x.png"]) { $0.mode = .json } }
        #expect(throws: UsageError.self) {
            try content([]) {
                $0.mode = .multipart
                $0.data = "x"
            }
        }
    }

    @Test("is --data unchanged, with a guessed media type")
    func data() throws {
        #expect(try content([]) { $0.data = "a=b" } == .text("a=b", mediaType: FormText.mediaType))
        #expect(try content([]) { $0.data = "a b=c" } == .text("a b=c", mediaType: "text/plain; charset=utf-8"))
        #expect(try content([]) { $0.data = " [1]" } == .text(" [1]", mediaType: "application/json"))
        #expect(try content([]) { $0.data = "@x.csv" } == .file("x.csv", mediaType: nil))
        let bytes = Data([0xFF, 0])
        #expect(try content([]) { $0.input = bytes } == .data(bytes, mediaType: "application/octet-stream"))
        #expect(try content(["X-A:1"]) == nil)
        #expect(throws: UsageError.self) { try content(["a=1"]) { $0.data = "x" } }
    }

    @Test("has {n} in place of a number only if it is replaced later")
    func placeholders() throws {
        let numbered = { (planner: inout ContentPlanner) in planner.isNumbered = true }
        #expect(throws: UsageError.self) { try content(["a:={n}"]) }
        #expect(try content(["a:={n}"], numbered) == .text(#"{"a":{n}}"#, mediaType: "application/json"))
        #expect(try content([#"a:=["{n}", 1]"#]) == .text(#"{"a":["{n}",1]}"#, mediaType: "application/json"))
        let cases = [(#"{"a":{n}}"#, "application/json"), ("a={n}", FormText.mediaType)]
        for (data, type) in cases {
            #expect(try content([]) { $0.data = data } == .text(data, mediaType: "text/plain; charset=utf-8"))
            let planned = try content([]) { planner in
                planner.data = data
                planner.isNumbered = true
            }
            #expect(planned == .text(data, mediaType: type))
        }
    }

    @Test("has the number of the load in place of every {n}")
    func numbers() {
        let plan = RequestPlan(
            method: "POST",
            url: "http://a.test/{n}",
            query: [.init(name: "q", value: "{n}")],
            headers: [.init(name: "X-{n}", value: "v{n}")],
            content: .text(#"{"id":{n}}"#, mediaType: "application/json")
        )
        let seventh = plan.numbered("7")
        #expect(plan.hasPlaceholder)
        #expect(!seventh.hasPlaceholder)
        #expect(seventh.url == "http://a.test/7")
        #expect(seventh.query[0].value == "7")
        #expect(seventh.headers[0].value == "v7")
        #expect(seventh.content == .text(#"{"id":7}"#, mediaType: "application/json"))
    }
}
