// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import WebServiceDSL

@Suite("Decoded query parameters", .timeLimit(.minutes(15)))
struct QueryParametersDecodingTests {
    private struct Box<Value: Decodable>: Decodable {
        let k: Value
    }

    private func decode<Value: Decodable>(
        _ type: Value.Type,
        _ query: String,
        _ encoding: QueryEncoding = .standard
    ) throws -> Value {
        try QueryParameters(query: query).decode(Box<Value>.self, encoding: encoding).k
    }

    /// The error of a value, and the path that it names.
    private func failure<Value: Decodable>(
        _ type: Value.Type,
        _ query: String,
        _ encoding: QueryEncoding = .standard
    ) -> String {
        let error = #expect(throws: DecodingError.self) { try decode(type, query, encoding) }
        func text(_ kind: String, _ context: DecodingError.Context, _ key: (any CodingKey)? = nil) -> String {
            ([kind] + (context.codingPath + (key.map { [$0] } ?? [])).map(\.stringValue)).joined(separator: " ")
        }
        switch error {
        case .typeMismatch(_, let context): return text("mismatch", context)
        case .dataCorrupted(let context): return text("corrupted", context)
        case .valueNotFound(_, let context): return text("nothing", context)
        case .keyNotFound(let key, let context): return text("missing", context, key)
        default: return "none"
        }
    }

    private enum Sort: String, Codable { case newest }
    private enum Level: Int, Codable { case high = 3 }

    @Test("are scalars of every type that has a text form")
    func scalars() throws {
        #expect(try decode(String.self, "k=a+b") == "a b" && decode(String.self, "k=").isEmpty)
        #expect(try decode(Int.self, "k=-12") == -12 && decode(UInt8.self, "k=255") == 255)
        #expect(try decode(Int64.self, "k=9223372036854775807") == .max && decode(Int8.self, "k=-128") == .min)
        #expect(try decode(UInt128.self, "k=340282366920938463463374607431768211455") == .max)
        #expect(try decode(Int128.self, "k=-170141183460469231731687303715884105728") == .min)
        #expect(try decode(Double.self, "k=1.5e3") == 1500 && decode(Float.self, "k=0.1") == 0.1)
        #expect(try decode(CGFloat.self, "k=2.5") == 2.5)
        let decimal = "19.990000000000000000000001"
        #expect(try decode(Decimal.self, "k=\(decimal)") == Decimal(string: decimal))
        for (text, flag) in [("true", true), ("1", true), ("false", false), ("0", false)] {
            #expect(try decode(Bool.self, "k=\(text)") == flag)
        }
        let uuid = UUID()
        #expect(try decode(UUID.self, "k=\(uuid)") == uuid)
        #expect(try decode(URL.self, "k=https://a.test/x%3Fy%3D1").absoluteString == "https://a.test/x?y=1")
        #expect(try decode(URLComponents.self, "k=https://a.test/x").host == "a.test")
        #expect(try decode(TimeZone.self, "k=GMT").secondsFromGMT() == 0)
        #expect(try decode(Sort.self, "k=newest") == .newest && decode(Level.self, "k=3") == .high)
    }

    @Test(
        "are dates in ISO 8601, or in seconds or milliseconds",
        arguments: [
            ("2023-11-14T22:13:20Z", 1_700_000_000, QueryEncoding.standard),
            ("2023-11-15T00:13:20%2B02:00", 1_700_000_000, .standard),
            ("2023-11-14T22:13:20.250Z", 1_700_000_000.25, .standard), ("1700000000", 1_700_000_000, .standard),
            ("1700000000.5", 1_700_000_000.5, .standard), ("-1", -1, .standard),
            ("1700000000", 1_700_000_000, QueryEncoding(dates: .secondsSince1970)),
            ("1700000000250", 1_700_000_000.25, QueryEncoding(dates: .millisecondsSince1970)),
            ("2023-11-14T22:13:20Z", 1_700_000_000, QueryEncoding(dates: .millisecondsSince1970)),
        ]
    )
    func dates(_ text: String, _ seconds: Double, _ encoding: QueryEncoding) throws {
        let date = try decode(Date.self, "k=\(text)", encoding)
        #expect(abs(date.timeIntervalSince1970 - seconds) < 0.001)
    }

    @Test(
        "are dates only if they are in the form of RFC 3339",
        arguments: [
            ("2023-11-14t22:13:20z", 1_700_000_000.0), ("2023-11-14T20:13:20-02:00", 1_700_000_000),
            ("2023-11-14T22:13:20.000000000000Z", 1_700_000_000), ("1970-01-01T00:00:00Z", 0),
            ("2024-02-29T00:00:00Z", 1_709_164_800), ("2016-12-31T23:59:60Z", 1_483_228_800),
            ("1969-12-31T23:59:59.5Z", -0.5), ("0001-01-01T00:00:00Z", -62_135_596_800),
            ("9999-12-31T23:59:59Z", 253_402_300_799),
            ("2023-11-14T22:13:20Zx", nil), ("2023-02-29T00:00:00Z", nil), ("2023-00-10T00:00:00Z", nil),
            ("2023-13-10T00:00:00Z", nil), ("2023-11-00T00:00:00Z", nil), ("2023-11-14T24:00:00Z", nil),
            ("2023-11-14T22:60:20Z", nil), ("2023-11-14T22:13:61Z", nil), ("2023-11-14", nil),
            ("2023-11-14T22:13:20", nil), ("2023-11-14T22:13:20.Z", nil), ("2023-11-14T22:13:20+0200", nil),
            ("2023-11-14T22:13:20+24:00", nil), ("2023-11-14T22:13:20 02:00", nil), ("2023-11-14 22:13:20Z", nil),
            ("20231114T221320Z", nil), ("12023-11-14T22:13:20Z", nil), ("-023-11-14T22:13:20Z", nil),
            ("2023-11-14T+2:13:20Z", nil), ("２023-11-14T22:13:20Z", nil), ("2023-11-14T22:13Z", nil),
        ] as [(String, Double?)]
    )
    func timestamps(_ text: String, _ seconds: Double?) {
        let date = try? QueryParameters([("k", text)]).decode(Box<Date>.self).k
        #expect(date?.timeIntervalSince1970 == seconds)
    }

    @Test(
        "refuse a text of another type, and do not repeat it",
        arguments: ["", "x", "secret", "1,5", "1 ", " 1", "0x10", "1e", "nan", "inf", "yes", "TRUE", "½", "١", "--1"]
    )
    func refusedTexts(_ text: String) {
        let query = "k=" + text.replacingOccurrences(of: " ", with: "+")
        #expect(failure(Int.self, query) == "mismatch k")
        #expect(failure(Double.self, query) == "mismatch k")
        #expect(failure(Decimal.self, query) == "mismatch k")
        #expect(failure(Bool.self, query) == "mismatch k")
        #expect(failure(Date.self, query) == "mismatch k")
        #expect(failure(UUID.self, query) == "corrupted k")
        #expect(failure(Sort.self, query) == "corrupted k")
        let error = #expect(throws: DecodingError.self) { try decode(Int.self, "k=secret") }
        #expect(!"\(error as Any)".contains("secret"))
    }

    @Test("refuse numbers that are out of range, and types without a text form")
    func refusedTypes() {
        #expect(failure(UInt8.self, "k=256") == "mismatch k" && failure(UInt.self, "k=-1") == "mismatch k")
        #expect(failure(Double.self, "k=1e999") == "mismatch k" && failure(Decimal.self, "k=1e999") == "mismatch k")
        #expect(failure(Int.self, "k=1.0") == "mismatch k" && failure(Date.self, "k=2023-02-30") == "mismatch k")
        #expect(failure(Data.self, "k=1&k=2") == "mismatch k" && failure(Range<Int>.self, "k=1&k=2") == "mismatch k")
        #expect(failure(Duration.self, "k=1") == "mismatch k" && failure(URL.self, "k=") == "mismatch k")
    }

    @Test(
        "are arrays of repeated names, brackets and indices, whatever the encoding says",
        arguments: [
            ("k=1&k=2&k=3", [1, 2, 3]), ("k[]=1&k[]=2&k[]=3", [1, 2, 3]), ("k=1&k[]=2&k=3", [1, 2, 3]),
            ("k[0]=1&k[1]=2&k[2]=3", [1, 2, 3]), ("k[2]=3&k[0]=1&k[1]=2", [1, 2, 3]), ("k[7]=2&k[3]=1", [1, 2]),
            ("k[10]=3&k[9]=2&k[1]=1", [1, 2, 3]), ("k%5B%5D=1", [1]), ("k=1", [1]), ("", []), ("x=1&k[]=1", [1]),
        ]
    )
    func arrays(_ query: String, _ expected: [Int]) throws {
        for style: QueryEncoding.ArrayStyle in [.repeated, .brackets, .indexed, .commaSeparated] {
            #expect(try decode([Int].self, query, QueryEncoding(arrays: style)) == expected)
        }
        #expect(try decode(Set<Int>.self, query) == Set(expected))
    }

    @Test("are arrays with commas only if the encoding says so")
    func commas() throws {
        let encoding = QueryEncoding(arrays: .commaSeparated)
        #expect(try decode([Int].self, "k=1,2,3", encoding) == [1, 2, 3])
        #expect(try decode([String].self, "k=a,,b,", encoding) == ["a", "", "b", ""])
        #expect(try decode([String].self, "k=", encoding).isEmpty)
        #expect(try decode([String].self, "k=a,b&k=c", encoding) == ["a,b", "c"])
        #expect(try decode([String].self, "k=a,b") == ["a,b"])
        #expect(try decode(String.self, "k=a,b", encoding) == "a,b")
    }

    private struct Filter: Decodable, Equatable {
        struct Range: Decodable, Equatable {
            var from: Int?
            var to: Int?
        }

        var name: String
        var range: Range
        var labels: [String: [String]]
    }

    @Test("are nested values in brackets or after dots")
    func nesting() throws {
        let expected = Filter(name: "x", range: Filter.Range(from: 1), labels: ["a": ["1", "2"], "b": ["3"]])
        let brackets = "k[name]=x&k[range][from]=1&k[labels][a]=1&k[labels][b][]=3&k[labels][a]=2&k[other]=9"
        #expect(try decode(Filter.self, brackets) == expected)
        let dots = "k.name=x&k.range.from=1&k.labels.a[]=1&k.labels.b=3&k.labels.a[]=2"
        #expect(try decode(Filter.self, dots, QueryEncoding(nesting: .dots)) == expected)
        #expect(try decode(Filter.self, "k[name]=x") == Filter(name: "x", range: Filter.Range(), labels: [:]))
        #expect(try decode([[Int]].self, "k[0][0]=1&k[0][1]=2&k[1][]=3") == [[1, 2], [3]])
        let filters = try decode([Filter.Range].self, "k[0][from]=1&k[1][to]=4&k[0][to]=2")
        #expect(filters == [Filter.Range(from: 1, to: 2), Filter.Range(to: 4)])
        #expect(try decode([Int: String].self, "k[1]=a&k[2]=b") == [1: "a", 2: "b"])
    }

    @Test(
        "keep names whose brackets do not match",
        arguments: [
            "a[", "a]", "a[b", "[a]", "a[b]c", "a[b]c]", "a[[b]]", "a[[b]", "a[[]", "a[b][", "[]", "a]b[c", "a[b]]",
            "[a]b]", "a[b].c",
            ".",
        ]
    )
    func unmatchedBrackets(_ name: String) throws {
        #expect(try QueryParameters([(name, "1")]).decode([String: String].self) == [name: "1"])
    }

    @Test("name the path of what is missing, repeated, or of another shape")
    func shapes() {
        #expect(failure(Int.self, "x=1") == "missing k")
        #expect(failure(Filter.self, "x=1") == "missing k name")
        #expect(failure(Int.self, "k=1&k=2") == "corrupted k")
        #expect(failure(Int.self, "k[a]=1") == "mismatch k" && failure(Int.self, "k=1&k[a]=1") == "mismatch k")
        #expect(failure([String: Int].self, "k=1") == "mismatch k")
        #expect(failure([String: Int].self, "k[a]=1&k=1") == "mismatch k")
        #expect(failure([Int].self, "k[a]=1") == "mismatch k" && failure([Int].self, "k[0]=1&k=1") == "mismatch k")
        #expect(failure([Int].self, "k[0]=1&k[a]=1") == "mismatch k" && failure([Int].self, "k[-1]=1") == "mismatch k")
        #expect(failure([Int].self, "k[99999999999999999999]=1") == "mismatch k")
        #expect(failure([Int].self, "k=1&k=x") == "mismatch k 1")
        #expect(failure([[Int]].self, "k=1&k=2") == "mismatch k 0")
        #expect(failure([Filter.Range].self, "k[from]=1&k[from]=2") == "mismatch k")
        #expect(failure([Filter.Range].self, "k[][from]=1&k[][from]=2") == "mismatch k")
        #expect(failure([Filter.Range].self, "k[0][from]=1&k[1][from]=x") == "mismatch k 1 from")
        for type: any Decodable.Type in [Int.self, String.self, Date.self] {
            #expect(throws: DecodingError.self) { try QueryParameters(query: "a=1").decode(type) }
        }
    }

    @Test("refuse a value with bytes that are not UTF-8, and accept the character that replaces them")
    func invalidUnicode() throws {
        #expect(failure(String.self, "k=a%FF") == "corrupted k")
        #expect(failure([String].self, "k=a&k=%C3") == "corrupted k 1")
        #expect(throws: DecodingError.self) { try QueryParameters(query: "%FF=a").decode([String: String].self) }
        #expect(try decode(String.self, "k=a&x=%FF") == "a")
        #expect(try decode(String.self, "k=%EF%BF%BD") == "\u{FFFD}")
    }

    @Test("are nil where nothing was sent, and for an empty value only if the encoding says so")
    func optionals() throws {
        #expect(try decode(Int?.self, "x=1") == nil && decode(Int?.self, "k=1") == 1)
        #expect(try decode(String?.self, "k") == "" && decode([Int]?.self, "") == nil)
        #expect(failure(Int?.self, "k=") == "mismatch k")
        for style: QueryEncoding.NilStyle in [.emptyValue, .nameOnly] {
            let encoding = QueryEncoding(nils: style)
            #expect(try decode(Int?.self, "k=", encoding) == nil && decode(String?.self, "k", encoding) == nil)
            #expect(try decode([Int?].self, "k=1&k&k=2", encoding) == [1, nil, 2])
            #expect(try decode(String.self, "k=", encoding).isEmpty)
        }
    }

    private final class Chain: Decodable {
        let next: Chain
    }

    private final class Link: Decodable {
        let a: Link?
        let b: String?
    }

    @Test("refuse more than 32 parts of a name, more than 100,000 pairs, and a type that never ends")
    func limits() throws {
        let name = "a" + String(repeating: "[a]", count: 30)
        var link = try QueryParameters(query: "\(name)[b]=x").decode(Link.self)
        while let next = link.a { link = next }
        #expect(link.b == "x")
        #expect(throws: DecodingError.self) { try QueryParameters(query: "\(name)[a][b]=x").decode(Link.self) }
        #expect(throws: DecodingError.self) {
            try QueryParameters([(String(repeating: "a.", count: 100_000), "")])
                .decode([String: Int].self, encoding: QueryEncoding(nesting: .dots))
        }
        #expect(throws: DecodingError.self) { try QueryParameters(query: "a=1").decode(Chain.self) }
        let many = QueryParameters(query: String(repeating: "k=1&", count: QueryParameters.maximumDecodedCount))
        #expect(try many.decode(Box<[Int]>.self).k.count == 100_000)
        #expect(throws: DecodingError.self) { try QueryParameters(many.all + [("k", "1")]).decode(Box<[Int]>.self) }
    }

    @Test("of 100,000 names, values, indices or brackets are read in one pass", arguments: [0, 1, 2, 3, 4])
    func large(_ form: Int) throws {
        let parameters = QueryParameters(
            (0..<100_000).map { index in
                let name = ["k\(index)", "k", "k[\(99_999 - index)]", "k[a\(index)]", "k[a\(index % 2)][]"][form]
                return (name, String(index))
            }
        )
        switch form {
        case 0: #expect(try parameters.decode([String: Int].self).count == 100_000)
        case 1: #expect(try parameters.decode(Box<[Int]>.self).k == Array(0..<100_000))
        case 2: #expect(try parameters.decode(Box<[Int]>.self).k == (0..<100_000).reversed())
        case 3: #expect(try parameters.decode(Box<[String: Int]>.self).k["a9"] == 9)
        default: #expect(try parameters.decode(Box<[String: [Int]]>.self).k["a1"]?.count == 50_000)
        }
    }

    @Test("with 100,000 brackets in a name are refused in one pass")
    func longName() {
        for part in ["[a]", "[", "]", "[]", "[["] {
            let name = "a" + String(repeating: part, count: 100_000)
            _ = try? QueryParameters(Array(repeating: (name, ""), count: 10)).decode([String: String].self)
        }
    }
}
