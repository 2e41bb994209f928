// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import WebServiceDSL

@Suite("Query parameters", .timeLimit(.minutes(15)))
struct QueryParametersTests {
    /// A row: the text, and its names and values.
    typealias Row = (text: String, pairs: [[String]])

    private func pairs(_ parameters: QueryParameters) -> [[String]] {
        parameters.map { [$0.name, $0.value] }
    }

    @Test(
        "are parsed by the rules of the URL Standard, from a query, a fragment and a form alike",
        arguments: [
            ("", []), ("a=1", [["a", "1"]]), ("a=1&a=2&b=3", [["a", "1"], ["a", "2"], ["b", "3"]]),
            ("b=1&a=2&b=", [["b", "1"], ["a", "2"], ["b", ""]]),
            // Empty pairs, and parts of pairs.
            ("&", []), ("&&a=1&&&b=2&", [["a", "1"], ["b", "2"]]), ("a", [["a", ""]]), ("a=", [["a", ""]]),
            ("=a", [["", "a"]]), ("=", [["", ""]]), ("a&b&c=", [["a", ""], ["b", ""], ["c", ""]]),
            // Only the first equals sign separates.
            ("a==", [["a", "="]]), ("a=b=c", [["a", "b=c"]]), ("==a", [["", "=a"]]),
            // Plus signs.
            ("a+b=c+d", [["a b", "c d"]]), ("+=+", [[" ", " "]]), ("a=%2B1+%2b", [["a", "+1 +"]]),
            ("a=1++2", [["a", "1  2"]]),
            // Percent-encoding, also of the separators.
            ("a%26b%3Dc=d%26e%3Df", [["a&b=c", "d&e=f"]]), ("%61=%C3%bc", [["a", "ü"]]), ("a=%00", [["a", "\0"]]),
            ("a%5Bb%5D=1", [["a[b]", "1"]]), ("a[b]=1", [["a[b]", "1"]]), ("a=%E2%82%AC%F0%9F%98%80", [["a", "€😀"]]),
            // A percent sign that begins no encoded byte.
            ("a=%", [["a", "%"]]), ("a=%4", [["a", "%4"]]), ("a=%zz%41", [["a", "%zzA"]]), ("a=%%41", [["a", "%A"]]),
            ("%=100%25", [["%", "100%"]]), ("a=%25%34%31", [["a", "%41"]]), ("a=%+1", [["a", "% 1"]]),
            // Other characters are data.
            ("a=1;b=2", [["a", "1;b=2"]]), ("?a=1", [["?a", "1"]]), ("#a=1", [["#a", "1"]]),
            ("a=b?c/d", [["a", "b?c/d"]]),
            ("ü=é", [["ü", "é"]]), ("a=\r\n b", [["a", "\r\n b"]]),
            ("\u{FEFF}a=\u{FEFF}", [["\u{FEFF}a", "\u{FEFF}"]]),
            // A combining mark after a separator, which is one character with it.
            ("a=1&\u{301}b=\u{301}2", [["a", "1"], ["\u{301}b", "\u{301}2"]]),
            // Bytes that are not UTF-8.
            ("a=%FF", [["a", "\u{FFFD}"]]), ("%C3=x%C3%28", [["\u{FFFD}", "x\u{FFFD}("]]),
            ("a=%F0%9F%98", [["a", "\u{FFFD}"]]), ("a=%ED%A0%80", [["a", "\u{FFFD}\u{FFFD}\u{FFFD}"]]),
            ("a=%C0%AF", [["a", "\u{FFFD}\u{FFFD}"]]),
        ] as [Row]
    )
    func parsing(_ row: Row) {
        let query = QueryParameters(query: row.text)
        #expect(pairs(query) == row.pairs)
        #expect(QueryParameters(fragment: row.text) == query)
        #expect(QueryParameters(form: Data(row.text.utf8)) == query)
        #expect(QueryParameters(form: Array(row.text.utf8)[...]) == query)
    }

    @Test("of a form need not be UTF-8")
    func invalidBytes() {
        let parameters = QueryParameters(form: Data([0x61, 0x3D, 0xFF, 0x26, 0x62, 0x3D, 0x31]))
        #expect(pairs(parameters) == [["a", "\u{FFFD}"], ["b", "1"]])
    }

    @Test("have a first value of each name, all values, and all pairs in their order")
    func access() {
        let parameters = QueryParameters(query: "a=1&b=&a=2&A=3&filter[x]=4")
        #expect(parameters["a"] == "1" && parameters["b"] == "" && parameters["c"] == nil)
        #expect(parameters["A"] == "3" && parameters["filter[x]"] == "4" && parameters["filter"] == nil)
        #expect(parameters.values(of: "a") == ["1", "2"] && parameters.values(of: "c").isEmpty)
        #expect(parameters.all.map(\.name) == ["a", "b", "a", "A", "filter[x]"])
        #expect(parameters.all.map(\.value) == ["1", "", "2", "3", "4"])
    }

    @Test("are a collection with random access")
    func collection() {
        let parameters = QueryParameters(query: "a=1&b=2&c=3")
        #expect(parameters.count == 3 && !parameters.isEmpty && QueryParameters().isEmpty)
        #expect(parameters[1] == ("b", "2"))
        #expect(parameters.last?.name == "c" && parameters.first?.value == "1")
        #expect(parameters.reversed().map(\.name) == ["c", "b", "a"])
        #expect(parameters[1...].map(\.value) == ["2", "3"])
        var names: [String] = []
        for (name, _) in parameters { names.append(name) }
        #expect(names == ["a", "b", "c"])
    }

    @Test("are equal if they have the same pairs in the same order, however they are encoded")
    func equality() {
        let parameters = QueryParameters(query: "a=1&b=x%20y")
        #expect(parameters == QueryParameters([("a", "1"), ("b", "x y")]))
        #expect(parameters == QueryParameters(query: "&%61=1&b=x+y"))
        #expect(parameters != QueryParameters(query: "b=x+y&a=1"))
        #expect(parameters != QueryParameters(query: "a=1"))
        #expect(Set([parameters, QueryParameters(query: "%61=1&b=x+y"), QueryParameters()]).count == 2)
    }

    @Test("of 100,000 pairs are parsed in one pass")
    func large() {
        let parameters = QueryParameters(query: String(repeating: "a+%41=b%42&", count: 100_000))
        #expect(parameters.count == 100_000)
        #expect(parameters.allSatisfy { $0 == ("a A", "bB") })
        #expect(QueryParameters(query: String(repeating: "&", count: 1_000_000)).isEmpty)
        #expect(QueryParameters(query: String(repeating: "=", count: 1_000_000))[""]?.count == 999_999)
        #expect(QueryParameters(query: "a=" + String(repeating: "%", count: 1_000_000))["a"]?.count == 1_000_000)
    }

    @Test("of random bytes are parsed without an end of the process")
    func randomBytes() {
        let alphabet = Array("&&==%%+[].aA01f".utf8) + [0xFF, 0xC3, 0, 0xCC, 0x81]
        for _ in 0..<3_000 {
            let bytes = (0..<Int.random(in: 0...40)).compactMap { _ in alphabet.randomElement() }
            let parameters = QueryParameters(form: bytes)
            #expect(parameters.count == bytes.split(separator: UInt8(ascii: "&")).count)
            _ = try? parameters.decode([String: [String]].self)
            _ = try? parameters.decode([String: [[String: String]]].self, encoding: QueryEncoding(nesting: .dots))
        }
    }
}
