// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import WebServiceDSL

@Suite("The error of content that cannot be decoded", .timeLimit(.minutes(15)))
struct UndecodableValueTests {
    struct Item: Codable, Sendable {
        var price: Double
        var unitName: String?
        var isNew: Bool?
        var count: Int?
        var tags: [String]?
        var at: Date?
        var home: URL?
        var access: Access?
        var inner: [String: Int]?
    }
    struct Access: Codable, Sendable { var password: Int }

    private func reason(
        _ content: String,
        contentType: String? = nil,
        format: (any ContentFormat)? = nil
    ) async -> String {
        let interface = RecordingInterface { request in
            let headers: HTTPFields = contentType.map { [.contentType: $0] } ?? [:]
            let head = ResponseHead(statusCode: 200, headers: headers)
            return NetworkResponse(head: head, data: Data(content.utf8), request: request)
        }
        let base = BaseResource("https://a", networkInterface: interface, format: format)
        let error = await #expect(throws: SwiftyError.self) { try await base.get().load([Item].self) }
        #expect(error?.code == .decodingFailed)
        return error?.reason ?? ""
    }

    @Test(
        "names the place, what was expected and what was found",
        arguments: [
            (#"[{"price":1},{"price":"12,50"}]"#, #"[1].price: expected a number, found "12,50""#),
            (#"[{"price":true}]"#, "[0].price: expected a number, found true"),
            (#"[{"price":1,"isNew":1}]"#, "[0].isNew: expected true or false, found 1"),
            (#"[{"price":1,"count":1.5}]"#, "a number does not fit its type"),
            (#"[{"price":1,"count":99999999999999999999}]"#, "a number does not fit its type"),
            (#"[{"price":1,"count":"x"}]"#, #"[0].count: expected an integer, found "x""#),
            (#"[{"price":1,"tags":{}}]"#, "[0].tags: expected an array, found an object"),
            (#"[{"price":1,"tags":[1]}]"#, "[0].tags[0]: expected a string, found 1"),
            (#"[{"price":1,"inner":[]}]"#, "[0].inner: expected an object, found an array"),
            (#"[{"price":1,"inner":{"a":null}}]"#, "[0].inner.a: expected an integer, found null"),
            (#"[{"price":null}]"#, "[0].price: expected a number, found null"),
            (#"[{}]"#, "[0].price: no such value"), (#"[null]"#, "[0]: expected an object, found null"),
            (#"{"price":1}"#, "the whole content: expected an array, found an object"),
            (#"[{"price":1,"home":"http://[x"}]"#, #"[0].home: found "http://[x" (Invalid URL string.)"#),
        ]
    )
    func places(content: String, text: String) async {
        let reason = await reason(content)
        #expect(reason == "the content is not Array<Item>: \(text)")
    }

    @Test("hints at dates that are text, and at names in another style")
    func hints() async {
        let date = #"[{"price":1,"at":"2026-01-31T12:00:00Z"}]"#
        #expect(await reason(date).hasSuffix("(a format with the dates .iso8601 reads it as a date)"))
        let format: JSONFormat = .json { $0.dates = .iso8601 }
        let bad = await reason(#"[{"price":1,"at":"2026-13-01"}]"#, format: format)
        #expect(bad.hasSuffix(#"[0].at: found "2026-13-01" (not a date in ISO 8601)"#))
        #expect(await reason(#"[{"Price":1}]"#).hasSuffix(#"[0].price: no such value, but one for "Price""#))
        struct Name: Decodable, Sendable { var unitName: String }
        let response = NetworkResponse(head: ResponseHead(statusCode: 200), data: Data(#"{"unit_name":"m"}"#.utf8))
        let error = #expect(throws: SwiftyError.self) { try response.decode(Name.self) }
        let hint = #"but one for "unit_name" (the keyStyle .snakeCase of a service reads it)"#
        #expect(error?.reason.hasSuffix(hint) == true)
    }

    @Test("names the type of a page for people, and the position in text that is not JSON")
    func otherTypes() async {
        let page = await reason("<html>", contentType: "text/html; charset=utf-8")
        #expect(page.hasPrefix("the content is not Array<Item> but text/html: "))
        for (content, mistake) in [
            ("[{\"price\":1},\n  x]", "line 2, column 3 is not JSON"),
            ("[{\"price\":1},", "the JSON ends early, in line 1, column 14"),
            ("  ", "the JSON ends early, in line 1, column 3"),
            ("[] []", "line 1, column 4 is not JSON"),
        ] {
            let reason = await reason(content)
            #expect(reason == "the content is not Array<Item>: \(mistake)")
        }
    }

    @Test("shows no value with the name of a secret, and only the beginning of a long one")
    func secrets() async {
        let reason = await reason(#"[{"price":1,"access":{"password":"hunter2"}}]"#)
        #expect(reason.hasSuffix("[0].access.password: expected an integer, found REDACTED"))
        let long = await self.reason("[{\"price\":\"\(String(repeating: "x", count: 5000))\"}]")
        #expect(long.count < 200)
    }

    @Test("of content that is large or deeply nested is found without a search")
    func extremes() async {
        let large = "[" + String(repeating: "{\"price\":1},", count: 400_000) + "{\"price\":\"x\"}]"
        #expect(await reason(large).hasSuffix("[400000].price: expected a number"))
        let lines = String(repeating: "\n", count: 3_000_000) + "x"
        #expect(await reason(lines).hasSuffix("line 3000001, column 1 is not JSON"))
        let deep = String(repeating: "[", count: 100_000)
        #expect(await reason(deep).isEmpty == false)
    }
}
