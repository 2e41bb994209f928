// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import WebServiceDSL

@Suite("A place in content", .timeLimit(.minutes(15)))
struct ContentPlaceTests {
    private func base(_ content: String, format: (any ContentFormat)? = nil) -> BaseResource {
        let interface = RecordingInterface {
            NetworkResponse(head: ResponseHead(statusCode: 200), data: Data(content.utf8), request: $0)
        }
        return BaseResource("https://a", networkInterface: interface, format: format)
    }

    @Test(
        "leads to a value by names and indices",
        arguments: [
            (#"{"a":7}"#, "a"), (#"{"a":{"b":7}}"#, "a.b"), (#"{"a.b":7}"#, "a.b"), (#"{"a":[5,7]}"#, "a[1]"),
            (#"[[5],[6,7]]"#, "[1][1]"), (#"[{"a":7}]"#, "[0].a"), (#"{"a[1]":7}"#, "a[1]"), ("7", ""),
            (#"{"a":{"b":1},"a.b":{"c":7}}"#, "a.b.c"), (#"{"a.b":1,"a":{"b":{"c":7}}}"#, "a.b.c"),
            (#"{"":{"":7}}"#, "."), (#"{"data":null,"data.x":7}"#, "data.x"), (#"{"é":{"🏠":7}}"#, "é.🏠"),
        ]
    )
    func values(content: String, place: String) async throws {
        #expect(try await base(content).get().decode(Int.self, at: ContentPlace(place)).load() == 7)
    }

    @Test(
        "that is not there is an error with its name, and nil for an optional value",
        arguments: [
            ("{}", "a"), (#"{"a":{}}"#, "a.b"), (#"{"a":[1]}"#, "a[1]"), (#"{"a":[1]}"#, "a[-1]"),
            (#"{"a":[1]}"#, "a[x]"), (#"{"a":[1]}"#, "a[0"), (#"{"a":null}"#, "a.b"),
            (#"{"a":[1]}"#, "a[99999999999999999999]"), (#"{"a":[]}"#, "a[0].b"),
        ]
    )
    func absent(content: String, place: String) async throws {
        let resource = base(content).get()
        #expect(try await resource.decode(Int?.self, at: ContentPlace(place)).load() == nil)
        let error = await #expect(throws: SwiftyError.self) {
            try await resource.decode(Int.self, at: ContentPlace(place)).load()
        }
        #expect(error?.code == .decodingFailed)
        #expect(error?.reason.contains("\"\(place)\"") == true)
    }

    @Test("within a value of another kind is an error with its position", arguments: ["a.b", "a[0]"])
    func otherKind(place: ContentPlace) async throws {
        let error = await #expect(throws: SwiftyError.self) {
            try await base(#"{"a":"text"}"#).get().decode(Int.self, at: place).load()
        }
        #expect(error?.reason.contains("a: expected an") == true)
        #expect(error?.reason.contains(#"found "text""#) == true)
    }

    @Test(
        "has the names of the content, or those into which the decoder converts them",
        arguments: ["item_list", "itemList"]
    )
    func convertedNames(name: String) async throws {
        struct Item: Codable, Sendable { var unitPrice: Double }
        let format: JSONFormat = .json { $0.keys = .snakeCase }
        let content = #"{"the_data":{"item_list":[{"unit_price":1.5}]}}"#
        let place = ContentPlace("the_data.\(name)")
        let items = try await base(content, format: format).get().decode([Item].self, at: place).load()
        #expect(items.map(\.unitPrice) == [1.5])
    }

    @Test("keeps the strategies of the decoder, whose values may decode other content")
    func strategies() async throws {
        struct Inner: Decodable, Sendable {
            let value: Int
            init(from decoder: any Decoder) throws {
                let text = try decoder.singleValueContainer().decode(String.self)
                value = try JSONDecoder().decode([String: Int].self, from: Data(text.utf8))["a"] ?? 0
            }
        }
        let dates: JSONFormat = .json { $0.dates = .secondsSince1970 }
        let date = try await base(#"{"a":{"at":60}}"#, format: dates).get().decode(Date.self, at: "a.at").load()
        #expect(date == Date(timeIntervalSince1970: 60))
        let inner = try await base(#"{"x":{"y":"{\"a\":3}"}}"#).get().decode(Inner.self, at: "x.y").load()
        #expect(inner.value == 3)
        let list = try PropertyListEncoder().encode(["a": [["b": 9]]])
        let response = RecordingInterface {
            NetworkResponse(head: ResponseHead(statusCode: 200), data: list, request: $0)
        }
        let other = BaseResource("https://a", networkInterface: response).get()
        #expect(try await other.decode(Int.self, at: "a[0].b", format: .propertyList).load() == 9)
    }

    @Test("works in the lines and the events of a stream")
    func streams() async throws {
        var values: [Int] = []
        let lines = base("{\"d\":{\"n\":1}}\n\n{\"d\":{\"n\":2}}\n").get().jsonLines(Int.self, at: "d.n")
        for try await value in lines { values.append(value) }
        #expect(values == [1, 2])
        let bad = base("{\"d\":{\"n\":1}}\n{\"d\":{}}\n").get().jsonLines(Int.self, at: "d.n")
        let error = await #expect(throws: SwiftyError.self) { for try await _ in bad {} }
        #expect(error?.reason.hasPrefix("line 2 is not Int") == true)
    }

    @Test("of a long path of brackets and dots costs no more than its length")
    func hostile() async throws {
        let place = ContentPlace(String(repeating: "[0].", count: 300))
        await #expect(throws: SwiftyError.self) { try await base("[[[[]]]]").get().decode(Int.self, at: place).load() }
    }
}
