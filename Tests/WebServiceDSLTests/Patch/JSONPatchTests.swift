// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import WebServiceDSL

@Suite("A JSON Patch", .timeLimit(.minutes(15)))
struct JSONPatchTests {
    /// A row of RFC 6902, appendix A.
    struct Row: Sendable, CustomTestStringConvertible {
        let section: String
        let document: String
        let patch: JSONPatch
        let text: String
        /// The new document; `nil` if an operation fails.
        let result: String?

        init(_ section: String, _ document: String, patch: JSONPatch, text: String, result: String?) {
            (self.section, self.document, self.patch) = (section, document, patch)
            (self.text, self.result) = (text, result)
        }

        var testDescription: String { section }
    }

    @Test("is the document of RFC 6902, appendix A, and changes documents as it says", arguments: appendix)
    func reference(_ row: Row) throws {
        let patch = try JSONTree(encoding: row.patch)
        #expect(patch == (try JSONTree(row.text)))
        let document = try JSONTree(row.document)
        if let result = row.result {
            #expect(try document.applying(patch) == JSONTree(result))
        } else {
            #expect(throws: FailedOperation.self) { try document.applying(patch) }
        }
    }

    private struct Author: Encodable, Sendable {
        var firstName = "Ada"
        var bornAt = Date(timeIntervalSince1970: 0)
        var photo = Data([1, 2])
        var site = URL(string: "https://a.test/x")
        var nickName: String?
    }

    @Test("encodes values of any type, and null for nil")
    func values() throws {
        let missing: Int? = nil
        let present: Int? = 7
        let patch: JSONPatch = [
            .add("/a", nil), .add("/b", missing), .test("/c", present), .replace("/d", ["x": [1, 2]]),
            .add("/e", [nil, 1]), .test("/f", true), .add("/g", 1.5), .replace("/h", Decimal(string: "19.99")),
            .test("/i", UInt64.max), .add("/j", ["k": String?.none]),
        ]
        let expected = """
            [{"op": "add", "path": "/a", "value": null}, {"op": "add", "path": "/b", "value": null},
             {"op": "test", "path": "/c", "value": 7}, {"op": "replace", "path": "/d", "value": {"x": [1, 2]}},
             {"op": "add", "path": "/e", "value": [null, 1]}, {"op": "test", "path": "/f", "value": true},
             {"op": "add", "path": "/g", "value": 1.5}, {"op": "replace", "path": "/h", "value": 19.99},
             {"op": "test", "path": "/i", "value": 18446744073709551615},
             {"op": "add", "path": "/j", "value": {"k": null}}]
            """
        #expect(try JSONTree(encoding: patch) == JSONTree(expected))
    }

    @Test("has the strategies of its encoder in values, and never in its paths and names")
    func strategies() throws {
        let patch: JSONPatch = [
            .add("/createdAt", Date(timeIntervalSince1970: 1)), .replace("/firstAuthor", Author()),
            .move(from: "/oldName", to: "/newName"), .test("/keysOf", ["keyOne": 1]), .add("/d", Data([255])),
            .add("/n", [Double.nan]),
        ]
        for isCustom in [false, true] {
            let encoder = JSONEncoder()
            encoder.dateEncodingStrategy = .iso8601
            encoder.dataEncodingStrategy = .custom { data, encoder in
                var container = encoder.singleValueContainer()
                try container.encode(data.count)
            }
            encoder.nonConformingFloatEncodingStrategy = .convertToString(
                positiveInfinity: "inf",
                negativeInfinity: "-inf",
                nan: "none"
            )
            encoder.keyEncodingStrategy = .convertToSnakeCase
            if isCustom {
                encoder.keyEncodingStrategy = .custom { ChangedName(($0.last?.stringValue ?? "").uppercased()) }
            }
            let custom = ["FIRSTNAME", "BORNAT", "PHOTO", "SITE"]
            let names = isCustom ? custom : ["first_name", "born_at", "photo", "site"]
            let expected = """
                [{"op": "add", "path": "/createdAt", "value": "1970-01-01T00:00:01Z"},
                 {"op": "replace", "path": "/firstAuthor", "value": {"\(names[0])": "Ada",
                  "\(names[1])": "1970-01-01T00:00:00Z", "\(names[2])": 2, "\(names[3])": "https://a.test/x"}},
                 {"op": "move", "from": "/oldName", "path": "/newName"},
                 {"op": "test", "path": "/keysOf", "value": {"keyOne": 1}}, {"op": "add", "path": "/d", "value": 1},
                 {"op": "add", "path": "/n", "value": ["none"]}]
                """
            #expect(try JSONTree(encoding: patch, encoder) == JSONTree(expected))
        }
    }

    @Test("keeps the order of its operations, and may have none")
    func order() throws {
        var patch = JSONPatch()
        #expect(try JSONTree(encoding: patch) == .array([]))
        for index in 0..<50 { patch.operations.append(.add(JSONPointer.root.appending(index), index)) }
        guard case .array(let operations) = try JSONTree(encoding: patch) else { throw FailedOperation() }
        #expect(operations.map { $0["value"] } == (0..<50).map { .number(Double($0)) })
    }

    @Test("is a part of another value, too")
    func nested() throws {
        let patches: [String: JSONPatch] = ["1": [.remove("/a")], "2": []]
        let expected = #"{"1": [{"op": "remove", "path": "/a"}], "2": []}"#
        #expect(try JSONTree(encoding: patches) == JSONTree(expected))
    }

    @Test(
        "with a path that is not a pointer is an error, as is a move into itself",
        arguments: [
            JSONPatch.Operation.add("title", 1), .remove("/~2"), .replace("a/b", nil), .test("#/a", 1),
            .move(from: "a", to: "/b"), .move(from: "/a", to: "b"),
            .copy(from: "x", to: "/b"), .copy(from: "/b", to: "x"),
            .move(from: "/a", to: "/a/b"), .move(from: "", to: "/a"),
        ]
    )
    func invalid(_ operation: JSONPatch.Operation) {
        let error = #expect(throws: EncodingError.self) { try JSONEncoder().encode([operation]) }
        guard case .invalidValue(let value, let context) = error else { return }
        #expect(value is JSONPointer && context.codingPath.first?.intValue == 0)
    }

    @Test("moves to a path beside its source, and copies into itself")
    func allowed() throws {
        for operation in [
            JSONPatch.Operation.move(from: "/a", to: "/ab"), .move(from: "/a/b", to: "/a"), .move(from: "/a", to: "/a"),
            .copy(from: "/a", to: "/a/b"), .copy(from: "", to: "/a"),
        ] {
            #expect(throws: Never.self) { try JSONEncoder().encode([operation]) }
        }
    }

    @Test("reports a value that cannot be encoded")
    func unencodable() {
        #expect(throws: EncodingError.self) { try JSONEncoder().encode(JSONPatch([.add("/a", Double.nan)])) }
    }

    @Test("has the media type of RFC 6902 §6")
    func mediaType() {
        #expect(JSONPatch.mediaType == "application/json-patch+json")
    }
}

/// A key that a custom strategy makes.
struct ChangedName: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) {
        stringValue = name
    }

    init?(stringValue: String) {
        self.init(stringValue)
    }

    init?(intValue: Int) { nil }
}

extension JSONPatchTests {
    static let appendix: [Row] = [
        Row(
            "A.1 adding an object member",
            #"{"foo": "bar"}"#,
            patch: [.add("/baz", "qux")],
            text: #"[{"op": "add", "path": "/baz", "value": "qux"}]"#,
            result: #"{"baz": "qux", "foo": "bar"}"#
        ),
        Row(
            "A.2 adding an array element",
            #"{"foo": ["bar", "baz"]}"#,
            patch: [.add("/foo/1", "qux")],
            text: #"[{"op": "add", "path": "/foo/1", "value": "qux"}]"#,
            result: #"{"foo": ["bar", "qux", "baz"]}"#
        ),
        Row(
            "A.3 removing an object member",
            #"{"baz": "qux", "foo": "bar"}"#,
            patch: [.remove("/baz")],
            text: #"[{"op": "remove", "path": "/baz"}]"#,
            result: #"{"foo": "bar"}"#
        ),
        Row(
            "A.4 removing an array element",
            #"{"foo": ["bar", "qux", "baz"]}"#,
            patch: [.remove("/foo/1")],
            text: #"[{"op": "remove", "path": "/foo/1"}]"#,
            result: #"{"foo": ["bar", "baz"]}"#
        ),
        Row(
            "A.5 replacing a value",
            #"{"baz": "qux", "foo": "bar"}"#,
            patch: [.replace("/baz", "boo")],
            text: #"[{"op": "replace", "path": "/baz", "value": "boo"}]"#,
            result: #"{"baz": "boo", "foo": "bar"}"#
        ),
        Row(
            "A.6 moving a value",
            #"{"foo": {"bar": "baz", "waldo": "fred"}, "qux": {"corge": "grault"}}"#,
            patch: [.move(from: "/foo/waldo", to: "/qux/thud")],
            text: #"[{"op": "move", "from": "/foo/waldo", "path": "/qux/thud"}]"#,
            result: #"{"foo": {"bar": "baz"}, "qux": {"corge": "grault", "thud": "fred"}}"#
        ),
        Row(
            "A.7 moving an array element",
            #"{"foo": ["all", "grass", "cows", "eat"]}"#,
            patch: [.move(from: "/foo/1", to: "/foo/3")],
            text: #"[{"op": "move", "from": "/foo/1", "path": "/foo/3"}]"#,
            result: #"{"foo": ["all", "cows", "eat", "grass"]}"#
        ),
        Row(
            "A.8 testing a value: success",
            #"{"baz": "qux", "foo": ["a", 2, "c"]}"#,
            patch: [.test("/baz", "qux"), .test("/foo/1", 2)],
            text: #"[{"op": "test", "path": "/baz", "value": "qux"}, {"op": "test", "path": "/foo/1", "value": 2}]"#,
            result: #"{"baz": "qux", "foo": ["a", 2, "c"]}"#
        ),
        Row(
            "A.9 testing a value: error",
            #"{"baz": "qux"}"#,
            patch: [.test("/baz", "bar")],
            text: #"[{"op": "test", "path": "/baz", "value": "bar"}]"#,
            result: nil
        ),
        Row(
            "A.10 adding a nested member object",
            #"{"foo": "bar"}"#,
            patch: [.add("/child", ["grandchild": [String: Int]()])],
            text: #"[{"op": "add", "path": "/child", "value": {"grandchild": {}}}]"#,
            result: #"{"foo": "bar", "child": {"grandchild": {}}}"#
        ),
        Row(
            "A.12 adding to a nonexistent target",
            #"{"foo": "bar"}"#,
            patch: [.add("/baz/bat", "qux")],
            text: #"[{"op": "add", "path": "/baz/bat", "value": "qux"}]"#,
            result: nil
        ),
        Row(
            "A.14 ~ escape ordering",
            #"{"/": 9, "~1": 10}"#,
            patch: [.test("/~01", 10)],
            text: #"[{"op": "test", "path": "/~01", "value": 10}]"#,
            result: #"{"/": 9, "~1": 10}"#
        ),
        Row(
            "A.15 comparing strings and numbers",
            #"{"/": 9, "~1": 10}"#,
            patch: [.test("/~01", "10")],
            text: #"[{"op": "test", "path": "/~01", "value": "10"}]"#,
            result: nil
        ),
        Row(
            "A.16 adding an array value",
            #"{"foo": ["bar"]}"#,
            patch: [.add("/foo/-", ["abc", "def"])],
            text: #"[{"op": "add", "path": "/foo/-", "value": ["abc", "def"]}]"#,
            result: #"{"foo": ["bar", ["abc", "def"]]}"#
        ),
    ]
}
