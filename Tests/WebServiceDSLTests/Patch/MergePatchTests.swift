// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import WebServiceDSL

@Suite("A merge patch", .timeLimit(.minutes(15)))
struct MergePatchTests {
    /// The document, the patch and the result of RFC 7396, appendix A.
    static let appendix: [(document: String, patch: String, result: String)] = [
        (#"{"a":"b"}"#, #"{"a":"c"}"#, #"{"a":"c"}"#),
        (#"{"a":"b"}"#, #"{"b":"c"}"#, #"{"a":"b", "b":"c"}"#),
        (#"{"a":"b"}"#, #"{"a":null}"#, "{}"),
        (#"{"a":"b", "b":"c"}"#, #"{"a":null}"#, #"{"b":"c"}"#),
        (#"{"a":["b"]}"#, #"{"a":"c"}"#, #"{"a":"c"}"#),
        (#"{"a":"c"}"#, #"{"a":["b"]}"#, #"{"a":["b"]}"#),
        (#"{"a": {"b":"c"}}"#, #"{"a": {"b":"d", "c":null}}"#, #"{"a": {"b":"d"}}"#),
        (#"{"a": [{"b":"c"}]}"#, #"{"a": [1]}"#, #"{"a": [1]}"#),
        (#"["a","b"]"#, #"["c","d"]"#, #"["c","d"]"#),
        (#"{"a":"b"}"#, #"["c"]"#, #"["c"]"#),
        (#"{"a":"foo"}"#, "null", "null"),
        (#"{"a":"foo"}"#, #""bar""#, #""bar""#),
        (#"{"e":null}"#, #"{"a":1}"#, #"{"e":null, "a":1}"#),
        ("[1,2]", #"{"a":"b", "c":null}"#, #"{"a":"b"}"#),
        ("{}", #"{"a": {"bb": {"ccc":null}}}"#, #"{"a": {"bb": {}}}"#),
    ]

    @Test("of two documents leads from one to the other, in the rows of RFC 7396, appendix A", arguments: appendix)
    func difference(_ document: String, _ patch: String, _ result: String) throws {
        let (old, new) = (try JSONTree(document), try JSONTree(result))
        #expect(old.merging(try JSONTree(patch)) == new)
        #expect(old.merging(try JSONTree(encoding: MergePatch(from: old, to: new))) == new)
    }

    @Test("is the patch of RFC 7396, appendix A, made by a closure")
    func reference() throws {
        typealias Change = @Sendable (inout MergePatch) -> Void
        let changes: [Change] = [
            { $0.set("a", "c") }, { $0.set("b", "c") }, { $0.remove("a") }, { $0.set("a", nil) }, { $0.set("a", "c") },
            { $0.set("a", ["b"]) },
            {
                $0.set(at: "/a/b", "d")
                $0.remove(at: "/a/c")
            },
            { $0.set("a", [1]) }, { $0.set(at: "", ["c", "d"]) }, { $0.set(at: .root, ["c"]) }, { $0.remove(at: "") },
            { $0.set(at: "", "bar") }, { $0.set("a", 1) },
            {
                $0.set("a", "b")
                $0.remove("c")
            },
            { $0.remove(at: "/a/bb/ccc") },
        ]
        #expect(changes.count == Self.appendix.count)
        for (row, change) in zip(Self.appendix, changes) {
            #expect(try JSONTree(encoding: MergePatch(change)) == JSONTree(row.patch))
        }
    }

    @Test("of random documents without null leads from one to the other")
    func randomDifferences() throws {
        for _ in 0..<2_000 {
            let old = JSONTree.random(depth: 3)
            let new = Bool.random() ? JSONTree.random(depth: 3) : old.changed()
            let patch = try MergePatch(from: old, to: new)
            let tree = try JSONTree(encoding: patch)
            #expect(old.merging(tree) == new, "\(old) to \(new)")
            if case .object = new, old == new { #expect(patch.isEmpty) }
        }
    }

    @Test("takes the later of two changes, in nested objects as well")
    func later() throws {
        let patch = MergePatch {
            $0.set("a", 1)
            $0.set("a", 2)
            $0.set(at: "/b/c", 1)
            $0.set(at: "/b/d/e", 2)
            $0.remove(at: "/b/c")
            $0.set(at: "/x/y", 1)
            $0.set("x", ["z": 1])
            $0.remove("n")
            $0.set(at: "/n/a~1b/~0", 0)
            $0.set("p", ["q": 1])
            $0.set(at: "/p/r", 2)
        }
        let expected = #"""
            {"a": 2, "b": {"c": null, "d": {"e": 2}}, "x": {"z": 1}, "n": {"a/b": {"~": 0}}, "p": {"r": 2}}
            """#
        #expect(try JSONTree(encoding: patch) == JSONTree(expected))
    }

    private struct Article: Encodable {
        struct Author: Encodable {
            var fullName = "Ada"
            var homePage: URL?
        }

        var pageTitle = "Old"
        var subTitle: String?
        var createdAt = Date(timeIntervalSince1970: 1)
        var tags = ["a", "b"]
        var firstAuthor: Author? = Author()
        var labels = ["keyOne": 1, "keyTwo": 2]
        var price = Decimal(string: "19.99")
        var bytes = Data([1])
        var size: Int128 = 5
        var ratio: Float = 0.5
    }

    @Test("of two Encodable values has what differs, with the strategies of its encoder")
    func properties() throws {
        let old = Article(subTitle: "Sub")
        var new = old
        #expect(try MergePatch(from: old, to: new).isEmpty)
        (new.pageTitle, new.subTitle, new.tags) = ("New", nil, ["a"])
        (new.createdAt, new.labels, new.bytes) = (Date(timeIntervalSince1970: 2), ["keyOne": 3], Data([1, 2]))
        new.firstAuthor?.homePage = URL(string: "https://a.test/")
        let patch = try MergePatch(from: old, to: new)
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.keyEncodingStrategy = .convertToSnakeCase
        let expected = """
            {"page_title": "New", "sub_title": null, "tags": ["a"], "created_at": "1970-01-01T00:00:02Z",
             "labels": {"keyOne": 3, "keyTwo": null}, "bytes": "AQI=", "first_author": {"home_page": "https://a.test/"}}
            """
        #expect(try JSONTree(encoding: patch, encoder) == JSONTree(expected))
        new.firstAuthor = nil
        #expect(try JSONTree(encoding: MergePatch(from: old, to: new))["firstAuthor"] == .null)
        let sizes = try MergePatch(from: Article(), to: Article(size: 6, ratio: 0.25))
        #expect(try JSONTree(encoding: sizes) == JSONTree(#"{"size": 6, "ratio": 0.25}"#))
    }

    @Test("keeps the names that its author writes, with every key strategy")
    func exactNames() throws {
        let patch = MergePatch {
            $0.set("pageTitle", "New")
            $0.remove(at: "/firstAuthor/homePage")
            $0.set("secondAuthor", Article.Author())
        }
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .custom { ChangedName(($0.last?.stringValue ?? "").uppercased()) }
        let expected = """
            {"pageTitle": "New", "firstAuthor": {"homePage": null}, "secondAuthor": {"FULLNAME": "Ada"}}
            """
        #expect(try JSONTree(encoding: patch, encoder) == JSONTree(expected))
    }

    @Test("cannot tell a null in the new value from removal")
    func null() throws {
        let old = try JSONTree(#"{"a": 1, "b": {"c": 1}, "d": null, "e": null}"#)
        let new = try JSONTree(#"{"a": null, "b": {"c": 1, "x": null}, "d": null, "f": [null]}"#)
        let patch = try JSONTree(encoding: MergePatch(from: old, to: new))
        #expect(patch == (try JSONTree(#"{"a": null, "e": null, "f": [null]}"#)))
        #expect(old.merging(patch) == (try JSONTree(#"{"b": {"c": 1}, "d": null, "f": [null]}"#)))
    }

    @Test("sees a change of only the Unicode form of a string")
    func unicodeForms() throws {
        let patch = try MergePatch(from: ["a": "e\u{301}"], to: ["a": "\u{E9}"])
        #expect(!patch.isEmpty)
        #expect(try MergePatch(from: ["a": "e\u{301}"], to: ["a": "e\u{301}"]).isEmpty)
    }

    private class Base: Encodable {
        var name = "n"
    }

    private final class Derived: Base {
        var size = 1

        override func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: JSONKey.self)
            try container.encode(size, forKey: .size)
            var nested = container.nestedContainer(keyedBy: JSONKey.self, forKey: .nested)
            try nested.encodeNil(forKey: .size)
            var elements = nested.nestedUnkeyedContainer(forKey: .nested)
            try elements.encode(size)
            try elements.encodeNil()
            try super.encode(to: container.superEncoder())
        }

        private enum JSONKey: CodingKey { case size, nested }
    }

    @Test("takes nested containers and superclasses")
    func containers() throws {
        let (old, new) = (Derived(), Derived())
        (new.size, new.name) = (2, "m")
        #expect(
            try JSONTree(encoding: MergePatch(from: old, to: new))
                == JSONTree(#"{"size": 2, "nested": {"nested": [2, null]}, "super": {"name": "m"}}"#)
        )
        #expect(
            try JSONTree(encoding: MergePatch(from: [String: Int](), to: new))
                == JSONTree(#"{"size": 2, "nested": {"size": null, "nested": [2, null]}, "super": {"name": "m"}}"#)
        )
    }

    @Test("with an invalid pointer, or one that is too long, is an error when it is encoded")
    func invalid() throws {
        for pointer: JSONPointer in ["title", "/~", JSONPointer(Array(repeating: "a", count: 129))] {
            let patch = MergePatch {
                $0.set("a", 1)
                $0.set(at: pointer, 1)
            }
            #expect(!patch.isEmpty)
            #expect(throws: EncodingError.self) { try JSONEncoder().encode(patch) }
        }
        let patch = MergePatch { $0.set(at: JSONPointer(Array(repeating: "a", count: 128)), 1) }
        #expect(throws: Never.self) { try JSONEncoder().encode(patch) }
    }

    @Test("throws the error of a value that cannot encode itself, and of its closure")
    func failures() {
        struct Unencodable: Encodable {
            func encode(to encoder: any Encoder) throws { throw FailedOperation() }
        }
        #expect(throws: FailedOperation.self) { try MergePatch(from: ["a": 1], to: ["a": Unencodable()]) }
        #expect(throws: FailedOperation.self) {
            try MergePatch { (_) throws(FailedOperation) in throw FailedOperation() }
        }
    }

    @Test("of 100,000 members is made and compared in one pass")
    func large() throws {
        let old = Dictionary(uniqueKeysWithValues: (0..<100_000).map { ("k\($0)", $0) })
        var new = old
        (new["k5"], new["k6"]) = (nil, 0)
        #expect(try JSONTree(encoding: MergePatch(from: old, to: new)) == JSONTree(#"{"k5": null, "k6": 0}"#))
        let elements = try MergePatch(from: ["a": Array(0..<100_000)], to: ["a": Array(1..<100_000)])
        #expect(!elements.isEmpty)
        let patch = MergePatch { patch in
            for index in 0..<100_000 { patch.set(at: JSONPointer(["a", "k\(index)"]), index) }
        }
        #expect(!patch.isEmpty)
    }

    @Test("is empty without changes, and has the media type of RFC 7396 §4")
    func empty() throws {
        #expect(MergePatch().isEmpty && MergePatch { _ in }.isEmpty)
        #expect(try JSONTree(encoding: MergePatch()) == .object([:]))
        #expect(MergePatch.mediaType == "application/merge-patch+json")
    }
}

extension JSONTree {
    /// A random document whose objects have no null.
    static func random(depth: Int) -> JSONTree {
        let names = ["a", "b", "c", "", "~/", "é"]
        switch Int.random(in: 0..<(depth > 0 ? 8 : 4)) {
        case 0: return .bool(.random())
        case 1: return .number(Double(Int.random(in: 0...2)))
        case 2, 3: return .string(names.randomElement() ?? "")
        case 4: return .array((0..<Int.random(in: 0...3)).map { _ in random(depth: depth - 1) })
        default:
            let count = Int.random(in: 0...4)
            let members = (0..<count).map { _ in (names.randomElement() ?? "", random(depth: depth - 1)) }
            return .object(Dictionary(members) { first, _ in first })
        }
    }

    /// The document with some members changed.
    func changed() -> JSONTree {
        guard case .object(var members) = self, let name = members.keys.randomElement() else {
            return .random(depth: 2)
        }
        members[name] = Bool.random() ? members[name]?.changed() : nil
        if Bool.random() { members["c"] = .random(depth: 2) }
        return .object(members)
    }
}
