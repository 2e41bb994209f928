// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import WebServiceDSL

@Suite("A value as query parameters", .timeLimit(.minutes(15)))
struct QueryParametersRoundTripTests {
    private func roundTrip<Value: Codable>(_ value: Value, _ encoding: QueryEncoding = .standard) throws -> Value {
        let text = try encoding.encode(QueryValue.properties(of: value))
        return try QueryParameters(query: text).decode(Value.self, encoding: encoding)
    }

    private struct Search: Codable, Equatable {
        enum Sort: String, Codable { case newest, oldest }

        struct Range: Codable, Equatable {
            var lowestValue: Int
            var highestValue: Int?
        }

        var text = "x & y=ü+\r\n\u{301}%20"
        var isOpen = true
        var hasAuthor: Bool? = false
        var sort = Sort.oldest
        var tagNames = ["a", "b,c", ""]
        var numbers: Set<Int> = [1, 2, 3]
        var noTags: [String] = []
        var valueRange = Range(lowestValue: 1)
        var missing: String?
        var missingRange: Range?
        var labelCounts = ["keyOne": 1, "üx": 2]
        var nested = ["outerKey": ["innerKey": [1.5, 2]]]
        var identifier = UUID()
        var site: URL? = URL(string: "https://a.test/x?y=1&z=2")
        var createdAt = Date(timeIntervalSince1970: 1_700_000_000)
        var price = Decimal(string: "19.99")
        var big = UInt128.max
        var ratio: Float = 0.1
        var zone = TimeZone(identifier: "GMT")
    }

    /// The encodings of which every style can be read back.
    private static let encodings: [QueryEncoding] = {
        var all: [QueryEncoding] = []
        for arrays: QueryEncoding.ArrayStyle in [.repeated, .brackets, .indexed] {
            for bools: QueryEncoding.BoolStyle in [.literal, .numeric] {
                for nils: QueryEncoding.NilStyle in [.omitted, .emptyValue, .nameOnly] {
                    for nesting: QueryEncoding.NestingStyle in [.brackets, .dots] {
                        all.append(QueryEncoding(arrays: arrays, nesting: nesting, bools: bools, nils: nils))
                    }
                }
            }
        }
        return all
    }()

    @Test("comes back, in each style of arrays, nesting, Bools and nil")
    func styles() throws {
        #expect(Self.encodings.count == 36)
        for encoding in Self.encodings {
            let search = Search()
            #expect(try roundTrip(search, encoding) == search, "\(encoding)")
        }
    }

    @Test("comes back, in each style of dates and names")
    func datesAndNames() throws {
        let dates: [QueryEncoding.DateStyle] = [.iso8601, .secondsSince1970, .millisecondsSince1970]
        let keys: [QueryEncoding.KeyStyle] = [.unchanged, .snakeCase, .custom { "X-" + $0.uppercased() }]
        for dates in dates {
            for keys in keys {
                let search = Search()
                #expect(try roundTrip(search, QueryEncoding(dates: dates, keys: keys)) == search)
            }
        }
        var search = Search()
        for seconds: Double in [-12_219_292_800, -1, 0, 253_402_300_799] {
            search.createdAt = Date(timeIntervalSince1970: seconds)
            #expect(try roundTrip(search) == search)
        }
        search.createdAt = Date(timeIntervalSince1970: 1_700_000_000.123456)
        #expect(try roundTrip(search, QueryEncoding(dates: .secondsSince1970)) == search)
    }

    @Test("comes back with commas between elements that have none")
    func commas() throws {
        struct Lists: Codable, Equatable {
            var numbers = [1, 2, 3]
            var words = ["a", "", "ü &="]
            var one = ["x"]
            var none: [Int] = []
        }
        #expect(try roundTrip(Lists(), QueryEncoding(arrays: .commaSeparated)) == Lists())
    }

    @Test("comes back with arrays of arrays and of values only with indices")
    func nestedArrays() throws {
        struct Lists: Codable, Equatable {
            var lists = [[1, 2], [3]]
            var values = [["a": 1, "b": 2], ["a": 3]]
        }
        #expect(try roundTrip(Lists(), QueryEncoding(arrays: .indexed)) == Lists())
        for style: QueryEncoding.ArrayStyle in [.repeated, .brackets] {
            #expect(throws: DecodingError.self) { try roundTrip(Lists(), QueryEncoding(arrays: style)) }
        }
    }

    private enum Choice: Codable, Equatable {
        case all(limit: Int)
        case one(String)
    }

    @Test("comes back if it is an enum case with values")
    func enumCases() throws {
        for choice in [Choice.all(limit: 3), .one("x")] {
            #expect(try roundTrip(["k": choice]) == ["k": choice])
        }
    }

    private class Base: Codable {
        var name = "n"
    }

    private final class Derived: Base {
        var sizes = [1]

        override init() { super.init() }

        required init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            var elements = try container.nestedContainer(keyedBy: Key.self, forKey: .nested)
                .nestedUnkeyedContainer(forKey: .sizes)
            sizes = []
            while !elements.isAtEnd { sizes.append(try elements.decode(Int.self)) }
            try super.init(from: container.superDecoder())
        }

        override func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            var nested = container.nestedContainer(keyedBy: Key.self, forKey: .nested)
            try nested.encode(sizes, forKey: .sizes)
            try super.encode(to: container.superEncoder())
        }

        private enum Key: CodingKey { case nested, sizes }
    }

    @Test("comes back from nested containers and superclasses")
    func containers() throws {
        let value = Derived()
        (value.name, value.sizes) = ("m", [1, 2])
        let copy = try roundTrip(value)
        #expect(copy.name == "m" && copy.sizes == [1, 2])
    }

    @Test("of random text comes back")
    func randomText() throws {
        for _ in 0..<300 {
            var text = ""
            text.unicodeScalars.append(
                contentsOf: (0..<8).compactMap { _ in Unicode.Scalar(UInt32.random(in: 0...0x2FFFF)) }
            )
            let key = text.filter { !"[]".contains($0) } + "k"
            let value = [key: [key: [text, ""]], "": [:]].filter { !$0.value.isEmpty }
            #expect(try roundTrip(value) == value)
        }
    }

    @Test("does not come back where two values have the same parameters")
    func ambiguous() throws {
        struct Optionals: Codable, Equatable {
            var text: String?
            var list: [Int?]?
        }
        // An empty array is not written, and neither is nil in an array.
        #expect(try roundTrip(Optionals(list: [])) == Optionals())
        #expect(try roundTrip(Optionals(list: [1, nil])) == Optionals(list: [1]))
        // An empty string and nil are both written as an empty value.
        #expect(try roundTrip(Optionals(text: ""), QueryEncoding(nils: .emptyValue)) == Optionals())
        let emptyValue = QueryEncoding(nils: .emptyValue)
        #expect(try roundTrip(Optionals(list: [1, nil]), emptyValue) == Optionals(list: [1, nil]))
        // A comma inside of an element, one empty element.
        let commas = QueryEncoding(arrays: .commaSeparated)
        #expect(try roundTrip(["k": ["a,b", ""]], commas) == ["k": ["a", "b", ""]])
        #expect(try roundTrip(["k": [""]], commas) == ["k": []])
        // Keys with brackets or dots.
        #expect(try roundTrip(["k": ["a": ["b": "1"]]]) == ["k": ["a": ["b": "1"]]])
        #expect(throws: DecodingError.self) { try roundTrip(["k[a]": "1"]) }
        #expect(throws: DecodingError.self) { try roundTrip(["k.a": "1"], QueryEncoding(nesting: .dots)) }
        // A fraction of a second in ISO 8601.
        #expect(
            try roundTrip(["k": Date(timeIntervalSince1970: 1.5)]) == ["k": Date(timeIntervalSince1970: 1)]
        )
        // A day before the Gregorian calendar began.
        let old = Date(timeIntervalSince1970: -12_219_292_800 - 86_400)
        #expect(try roundTrip(["k": old]) == ["k": old.addingTimeInterval(-10 * 86_400)])
    }
}
