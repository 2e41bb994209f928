// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import WebServiceDSL

@Suite("A query", .timeLimit(.minutes(15)))
struct QueryTests {
    private func query(_ parameters: [String: Any], _ encoding: QueryEncoding = .standard) async throws -> String? {
        try await freeze(server().get().query(parameters, encoding: encoding)).target.query
    }

    enum Order: String {
        case newest
    }

    enum Size: Int, Encodable {
        case large = 3
    }

    @Test("takes enums with raw values, and optionals, without a warning")
    func enumsAndOptionals() async throws {
        let (page, user): (Int?, String?) = (2, nil)
        let resource = server().get("x").query([
            "order": Order.newest, "size": Size.large, "orders": [Order.newest], "page": page, "user": user,
        ])
        #expect(try await freeze(resource).target.query == "order=newest&orders=newest&page=2&size=3")
    }

    @Test("has the order of its keys, at every level")
    func sorted() async throws {
        for _ in 0..<20 {
            let nested: [String: Any] = ["n": ["z": 1, "a": 2, "m": ["q": 1, "b": 2]], "b": "x", "a": 1]
            #expect(try await query(nested) == "a=1&b=x&n%5Ba%5D=2&n%5Bm%5D%5Bb%5D=2&n%5Bm%5D%5Bq%5D=1&n%5Bz%5D=1")
        }
    }

    @Test("cannot be extended by its data, because names and values are escaped")
    func escaped() async throws {
        #expect(try await query(["tags": ["a&admin=1", "b c"]]) == "tags=a%26admin%3D1&tags=b%20c")
        #expect(try await query(["a&b=c": "d#e\r\n+"]) == "a%26b%3Dc=d%23e%0D%0A%2B")
        #expect(try await query(["n": ["x]=1&y": 2]]) == "n%5Bx%5D%3D1%26y%5D=2")
        #expect(try await query(["tags": ["a,b", "c"]], QueryEncoding(arrays: .commaSeparated)) == "tags=a%2Cb,c")
    }

    @Test("encodes every element type of an array in the same way")
    func arrays() async throws {
        for (style, expected) in [
            (QueryEncoding.ArrayStyle.repeated, "k=1&k=2"), (.brackets, "k%5B%5D=1&k%5B%5D=2"),
            (.indexed, "k%5B0%5D=1&k%5B1%5D=2"),
            (.commaSeparated, "k=1,2"),
        ] {
            #expect(try await query(["k": [1, 2]], QueryEncoding(arrays: style)) == expected)
            #expect(try await query(["k": ["1", "2"]], QueryEncoding(arrays: style)) == expected)
        }
    }

    @Test("encodes Bools, Dates, optionals and nested values as configured")
    func styles() async throws {
        let date = Date(timeIntervalSince1970: 1_700_000_000)
        #expect(try await query(["b": true]) == "b=true")
        #expect(try await query(["b": false], QueryEncoding(bools: .numeric)) == "b=0")
        #expect(try await query(["d": date]) == "d=2023-11-14T22%3A13%3A20Z")
        #expect(try await query(["d": date], QueryEncoding(dates: .secondsSince1970)) == "d=1700000000")
        #expect(try await query(["d": date], QueryEncoding(dates: .millisecondsSince1970)) == "d=1700000000000")
        #expect(try await query(["d": date], QueryEncoding(dates: .custom { _ in "x&y" })) == "d=x%26y")
        let nothing: String? = nil
        let something: Int? = 3
        #expect(try await query(["n": nothing as Any, "s": something as Any]) == "s=3")
        #expect(try await query(["n": nothing as Any], QueryEncoding(nils: .emptyValue)) == "n=")
        #expect(try await query(["n": nothing as Any], QueryEncoding(nils: .nameOnly)) == "n")
        #expect(try await query(["n": ["a": 1]], QueryEncoding(nesting: .dots)) == "n.a=1")
        #expect(try await query(["x": 1.5, "y": 2.0, "z": UInt8(7)]) == "x=1.5&y=2&z=7")
    }

    @Test("refuses values without a text form")
    func refuses() async throws {
        final class Thing {}
        for value: Any in [Data([1]), Double.nan, Double.infinity, Thing(), ["a": Data([1])]] {
            let error = await #expect(throws: SwiftyError.self) { try await query(["k": value]) }
            #expect(error?.code == .queryEncodingFailed)
        }
        await #expect(throws: SwiftyError.self) {
            try await query(["k": [["x"], ["y"]]], QueryEncoding(arrays: .commaSeparated))
        }
    }

    @Test("that is empty adds no question mark, and several add up after those of base and path")
    func addsUp() async throws {
        #expect(try await freeze(server().get("x").query([:])).target.string == "https://api.example.com/v1/x")
        let request = try await freeze(server("https://a/?base=1").get("x?path=2").query(["c": 3]).query(["a": 4]))
        #expect(request.target.string == "https://a/x?base=1&path=2&c=3&a=4")
    }

    @Test("keeps the order of pairs, and their repetitions")
    func pairs() async throws {
        let request = try await freeze(server().get().query([("z", "1"), ("a", nil), ("z", "2&3")]))
        #expect(request.target.query == "z=1&z=2%263")
    }

    private struct Search: Encodable {
        enum Sort: String, Encodable { case newest }
        struct Range: Encodable { var from: Int, to: Int? }
        var text: String
        var isOpen = true
        var sort = Sort.newest
        var tags = ["a", "b"]
        var range = Range(from: 1, to: nil)
        var none: Int?
        var labels = ["z": 1, "a": 2]
    }

    @Test("is made of an Encodable value, in the order of its properties")
    func encodable() async throws {
        let request = try await freeze(server().get().query(Search(text: "x y")))
        #expect(
            request.target.query
                == "text=x%20y&isOpen=true&sort=newest&tags=a&tags=b&range%5Bfrom%5D=1&labels%5Ba%5D=2&labels%5Bz%5D=1"
        )
        await #expect(throws: SwiftyError.self) { try await freeze(server().get().query(5)) }
    }

    @Test("tells an Encodable element its path, with indices from 0")
    func codingPaths() async throws {
        struct Element: Encodable {
            let paths: Recording<String>

            func encode(to encoder: any Encoder) throws {
                paths.append(
                    encoder.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
                )
                var container = encoder.singleValueContainer()
                try container.encode("x")
            }
        }
        struct Elements: Encodable {
            let a: [Element]
        }
        let paths = Recording<String>()
        let elements = Elements(a: [Element(paths: paths), Element(paths: paths)])
        let request = try await freeze(server().get().query(elements))
        #expect(request.target.query == "a=x&a=x")
        #expect(paths.values == ["a.0", "a.1"])
    }

    @Test("of random text comes back unchanged when it is decoded")
    func roundTrip() async throws {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<200 {
            let scalars = (0..<12).compactMap { _ in Unicode.Scalar(UInt32.random(in: 0...0x2FFFF, using: &generator)) }
            var text = ""
            text.unicodeScalars.append(contentsOf: scalars)
            let query = try #require(try await query([text: text]))
            let parts = query.split(separator: "=", omittingEmptySubsequences: false)
            #expect(parts.count == 2)
            // After a letter, because Foundation drops a leading U+FEFF from decoded text.
            #expect(parts.allSatisfy { ("a" + $0).removingPercentEncoding == "a" + text })
        }
    }

    @Test("takes one parameter at a time, of any type")
    func single() async throws {
        let resource = server("https://a.test/?a=0").get("x?b=1").query("page", 2).query("q", "a b").query("on", true)
            .query("none", nil).query("order", Order.newest).query("ids", [1, 2]).query("page", 3)
        #expect(
            try await freeze(resource).target.query
                == "a=0&b=1&page=2&q=a%20b&on=true&order=newest&ids=1&ids=2&page=3"
        )
        let brackets = server().get().query("ids", [1, 2], encoding: .brackets).query("on", true, encoding: .brackets)
        #expect(try await freeze(brackets).target.query == "ids%5B%5D=1&ids%5B%5D=2&on=1")
    }
}

@Suite("The names of properties", .timeLimit(.minutes(15)))
struct QueryKeyTests {
    private struct Filter: Encodable {
        var perPage = 5
        var createdBy = Person()
        var labels = ["keyOne": 1]

        struct Person: Encodable {
            var firstName = "F"
        }
    }

    private func texts(_ keys: QueryEncoding.KeyStyle) async throws -> [String?] {
        let encoding = QueryEncoding(keys: keys)
        let form = try await freeze(server().post().fields(Filter(), encoding: encoding))
        let nested: [String: Any] = ["outerKey": Filter()]
        let formText = form.content.data.map { String(decoding: $0, as: UTF8.self) }
        let query = try await freeze(server().get().query(Filter(), encoding: encoding)).target.query
        let nestedQuery = try await freeze(server().get().query(nested, encoding: encoding)).target.query
        return [query, formText, nestedQuery]
    }

    @Test("are written as they are, in snake case or as a closure says, and keys of dictionaries as they are")
    func styles() async throws {
        let plain = "perPage=5&createdBy%5BfirstName%5D=F&labels%5BkeyOne%5D=1"
        let snake = "per_page=5&created_by%5Bfirst_name%5D=F&labels%5BkeyOne%5D=1"
        let unchanged = try await texts(.unchanged)
        #expect(unchanged[0] == plain && unchanged[1] == plain)
        #expect(QueryEncoding.KeyStyle.snakeCase.text(of: "URL") == "url")
        let changed = try await texts(.snakeCase)
        #expect(changed[0] == snake && changed[1] == snake)
        #expect(changed[2]?.hasPrefix("outerKey%5Bper_page%5D=5&outerKey%5Bcreated_by%5D%5Bfirst_name%5D=F") == true)
        let upper = try await texts(.custom { $0.uppercased() })
        #expect(upper[0]?.hasPrefix("PERPAGE=5&CREATEDBY%5BFIRSTNAME%5D") == true)
    }

    @Test(
        "in snake case are those of JSONEncoder",
        arguments: [
            "perPage", "myURLProperty", "url", "userID", "a", "aB", "ABc", "first_name", "_privateKey", "__x",
            "trailing_", "already_snakeCase", "version2Name", "v2", "", "_", "éÉcole", "sha256Sum", "iOSVersion",
        ]
    )
    func snakeCase(name: String) async throws {
        struct Key: CodingKey {
            let stringValue: String
            var intValue: Int? { nil }
            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }
        struct Value: Encodable {
            let name: String
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: Key.self)
                try container.encode(1, forKey: Key(stringValue: name))
            }
        }
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        let object = try JSONSerialization.jsonObject(with: encoder.encode(Value(name: name))) as? [String: Int]
        let expected = try #require(object?.keys.first)
        let query = try await freeze(server().get().query(Value(name: name), encoding: QueryEncoding(keys: .snakeCase)))
            .target.query
        #expect(query?.removingPercentEncoding == "\(expected)=1")
    }
}
