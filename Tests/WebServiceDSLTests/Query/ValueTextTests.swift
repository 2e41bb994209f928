// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing
import WebServiceDSL

@Suite("The text of a value", .timeLimit(.minutes(15)))
struct ValueTextTests {
    /// A value, and its text; `nil` if it is refused.
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let text: String?
        /// A part of the reason for which it is refused.
        var hint = "no text form"
        let make: @Sendable () -> Any

        init(_ name: String, _ text: String?, _ make: @escaping @Sendable () -> Any) {
            (self.name, self.text, self.make) = (name, text, make)
        }

        init(refused name: String, _ hint: String, _ make: @escaping @Sendable () -> Any) {
            (self.name, self.text, self.hint, self.make) = (name, nil, hint, make)
        }

        var testDescription: String { name }
    }

    enum Place: CaseIterable {
        case query, queryArray, optional, encodable, encodableQuery, form, part, path

        /// Whether the value can be written there at all: the compiler refuses others.
        func takes(_ value: Any) -> Bool {
            switch self {
            case .encodable, .encodableQuery: value is any Encodable
            case .path: value is any PathVariable
            default: true
            }
        }

        var code: SwiftyError.Code {
            switch self {
            case .form, .part: .fieldsEncodingFailed
            case .path: .invalidURL
            default: .queryEncodingFailed
            }
        }

        /// The text of a value there.
        func text(of value: Any) async throws -> String {
            let base = server()
            switch self {
            case .query: return try await query(base.get().query(["k": value]))
            case .queryArray: return try await query(base.get().query(["k": [value]]))
            case .optional: return try await query(base.get().query(["k": value as Any?]))
            case .encodable: return try await query(base.get().query(["k": Box(value)]), "k%5Bvalue%5D=")
            case .encodableQuery: return try await query(base.get().query(Box(value)), "value=")
            case .form: return try await form(base.post().fields(["k": value]))
            case .part: return try await part(base.post().multipart(name: "k", value: value as Any?))
            case .path:
                let variable = try #require(value as? any PathVariable)
                let path = try await freeze(base.get("{k}", ["k": variable])).target.path
                return decoded(path.dropFirst("/v1/".count))
            }
        }

        private func query(_ resource: NetworkResource, _ prefix: String = "k=") async throws -> String {
            let query = try #require(try await freeze(resource).target.query)
            #expect(query.hasPrefix(prefix))
            return decoded(query.dropFirst(prefix.count))
        }

        private func form(_ resource: NetworkResource) async throws -> String {
            decoded(String(decoding: try #require(await freeze(resource).content.data), as: UTF8.self).dropFirst(2))
        }

        private func part(_ resource: NetworkResource) async throws -> String {
            let form = String(decoding: try #require(await freeze(resource).content.data), as: UTF8.self)
            let content = try #require(form.range(of: "\r\n\r\n"))
            let end = try #require(form.range(of: "\r\n--", range: content.upperBound..<form.endIndex))
            return String(form[content.upperBound..<end.lowerBound])
        }

        private func decoded(_ text: some StringProtocol) -> String { text.removingPercentEncoding ?? "invalid" }
    }

    /// The value as the only property of a type.
    struct Box: Encodable {
        enum Key: CodingKey { case value }
        let value: any Encodable

        init(_ value: Any) {
            self.value = value as? any Encodable ?? "not encodable"
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(value, forKey: .value)
        }
    }

    enum Plain: Encodable { case active }
    enum Level: Double, Encodable {
        case half = 0.5
        case one = 1
    }
    enum Letter: Character { case a = "a" }

    static let withText = [
        Case("String", "a b&c") { "a b&c" },
        Case("Substring", "ab") { "abc".prefix(2) },
        Case("Character", "é") { Character("é") },
        Case("Int", "-7") { -7 },
        Case("UInt64", "18446744073709551615") { UInt64.max },
        Case("Int128", "-170141183460469231731687303715884105728") { Int128.min },
        Case("UInt128", "340282366920938463463374607431768211455") { UInt128.max },
        Case("whole Double", "1") { 1.0 },
        Case("Double", "0.1") { 0.1 },
        Case("negative zero", "0") { -0.0 },
        Case("large Double", "1e+20") { 1e20 },
        Case("Float", "0.1") { Float(0.1) },
        Case("whole Float", "2") { Float(2) },
        Case("CGFloat", "1.5") { CGFloat(1.5) },
        Case("Decimal", "19.99") { Decimal(string: "19.99") ?? 0 },
        Case("whole Decimal", "20") { Decimal(20) },
        Case("long Decimal", "12345678901234567890123456789.01") {
            Decimal(string: "12345678901234567890123456789.01") ?? 0
        },
        Case("small Decimal", "-0.00000000000000000001") { Decimal(string: "-1e-20") ?? 0 },
        Case("NSDecimalNumber", "19.99") { NSDecimalNumber(string: "19.99") },
        Case("NSDecimalNumber of 1", "1") { NSDecimalNumber(string: "1") },
        Case("NSNumber of Int 1", "1") { NSNumber(value: 1) },
        Case("NSNumber of Int 0", "0") { NSNumber(value: 0) },
        Case("NSNumber of Bool", "true") { NSNumber(value: true) },
        Case("NSNumber of Double", "0.1") { NSNumber(value: 0.1) },
        Case("NSNumber of whole Double", "1") { NSNumber(value: 1.0) },
        Case("NSNumber of Float", "0.1") { NSNumber(value: Float(0.1)) },
        Case("NSNumber of UInt64", "18446744073709551615") { NSNumber(value: UInt64.max) },
        Case("NSNumber of Int64", "-9223372036854775808") { NSNumber(value: Int64.min) },
        Case("Bool", "false") { false },
        Case("Date", "2023-11-14T22:13:20Z") { Date(timeIntervalSince1970: 1_700_000_000) },
        Case("last Date", "9999-12-31T23:59:59Z") { Date(timeIntervalSince1970: 253_402_300_799) },
        Case("first Date", "0001-01-01T00:00:00Z") { Date.distantPast },
        Case("URL", "https://a.example/x?y=1") { URL(string: "https://a.example/x?y=1") ?? URL(fileURLWithPath: "/") },
        Case("URLComponents", "https://a/b") { URLComponents(string: "https://a/b") ?? URLComponents() },
        Case("UUID", "8D3E3B1C-7D3C-4A51-9A4E-2F6F3D0B7A11") {
            UUID(uuidString: "8d3e3b1c-7d3c-4a51-9a4e-2f6f3d0b7a11") ?? UUID()
        },
        Case("TimeZone", "Europe/Berlin") { TimeZone(identifier: "Europe/Berlin") ?? .gmt },
        Case("enum of Double", "0.5") { Level.half },
        Case("enum of whole Double", "1") { Level.one },
        Case("enum of Character", "a") { Letter.a },
    ]

    static let withoutText = [
        Case(refused: "NaN", "not a finite number") { Double.nan },
        Case(refused: "infinity", "not a finite number") { -Double.infinity },
        Case(refused: "Float NaN", "not a finite number") { Float.nan },
        Case(refused: "CGFloat NaN", "not a finite number") { CGFloat.nan },
        Case(refused: "Decimal NaN", "not a finite number") { Decimal.nan },
        Case(refused: "NSDecimalNumber NaN", "not a finite number") { NSDecimalNumber.notANumber },
        Case(refused: "NSNumber infinity", "not a finite number") { NSNumber(value: Double.infinity) },
        Case(refused: "infinite Date", "not finite") { Date(timeIntervalSince1970: .infinity) },
        Case(refused: "NaN Date", "not finite") { Date(timeIntervalSince1970: .nan) },
        Case(refused: "Date of the year 10000", "four digits") { Date(timeIntervalSince1970: 253_402_300_800) },
        Case(refused: "Date before the year 1", "four digits") { Date(timeIntervalSince1970: -99_999_999_999) },
        Case(refused: "Data", "base64EncodedString()") { Data([1]) },
        Case(refused: "NSData", "base64EncodedString()") { NSData() },
        Case(refused: "Duration", "number of seconds") { Duration.seconds(90) },
        Case(refused: "Instant", "a Date") { ContinuousClock.now },
        Case(refused: "Locale", "identifier") { Locale(identifier: "de_DE") },
        Case(refused: "Language", "minimalIdentifier") { Locale.Language(identifier: "de") },
        Case(refused: "Calendar", "name of the calendar") { Calendar(identifier: .gregorian) },
        Case(refused: "Measurement", "its value") { Measurement(value: 1, unit: UnitLength.meters) },
        Case(refused: "CharacterSet", "a String") { CharacterSet(charactersIn: "a") },
        Case(refused: "IndexSet", "array") { IndexSet([1, 2, 5]) },
        Case(refused: "IndexPath", "array") { IndexPath(indexes: [1, 2]) },
        Case(refused: "Range", "bounds") { 1..<5 },
        Case(refused: "ClosedRange", "bounds") { 1...5 },
        Case(refused: "PartialRangeFrom", "bound") { 1... },
        Case(refused: "NSRange", "location") { NSRange(location: 1, length: 2) },
        Case(refused: "AttributedString", "String") { AttributedString("x") },
        Case(refused: "enum without a raw value", "raw values") { Plain.active },
        Case(refused: "dictionary by UUID", "neither strings nor integers") { [UUID(): 1] },
        Case(refused: "object without Encodable", "no text form") { NSObject() },
    ]

    @Test("is the same in a query, a form, a part of a form and a path", arguments: withText)
    func texts(_ example: Case) async throws {
        for place in Place.allCases where place.takes(example.make()) {
            #expect(try await place.text(of: example.make()) == example.text, "\(place)")
        }
    }

    @Test("is missing in all of these places alike, and the error says what to pass", arguments: withoutText)
    func refusals(_ example: Case) async throws {
        for place in Place.allCases where place.takes(example.make()) {
            let error = await failure { _ = try await place.text(of: example.make()) }
            #expect(error?.code == place.code, "\(place)")
            #expect(error?.reason.contains(example.hint) == true, "\(place): \(error?.reason ?? "no error")")
        }
    }

    @Test("of an integer of 128 bits does not depend on how a type encodes it")
    func wideProperties() async throws {
        struct Wide: Encodable {
            var keyed = Int128.max
            var optional: UInt128? = 7
            var array = [UInt128.max]
        }
        let request = try await freeze(server().get().query(Wide()))
        #expect(
            request.target.query == """
                keyed=170141183460469231731687303715884105727&optional=7&array=340282366920938463463374607431768211455
                """
        )
    }

    @Test("of a part follows the encoding, and a value with several elements is no part")
    func parts() async throws {
        let date = Date(timeIntervalSince1970: 1_700_000_000)
        let seconds = QueryEncoding(bools: .numeric, dates: .secondsSince1970)
        let request = try await freeze(
            server().post().multipart(name: "d", value: date, encoding: seconds)
                .multipart(name: "b", value: true, encoding: seconds)
                .multipart(name: "none", value: nil as Int?)
                .multipart(name: "empty", value: nil as Int?, encoding: QueryEncoding(nils: .emptyValue))
        )
        let form = String(decoding: try #require(request.content.data), as: UTF8.self)
        #expect(form.contains("name=\"d\"\r\n\r\n1700000000\r\n"))
        #expect(form.contains("name=\"b\"\r\n\r\n1\r\n"))
        #expect(!form.contains("none"))
        #expect(form.contains("name=\"empty\"\r\n\r\n\r\n"))
        let error = await failure { _ = try await freeze(server().post().multipart(name: "a", value: [1, 2])) }
        #expect(error?.code == .fieldsEncodingFailed)
    }

    @Test("of a date far away fits each style, or is refused")
    func distantDates() async throws {
        let far = Date(timeIntervalSince1970: 1e12)
        #expect(try await query(far, .secondsSince1970) == "d=1000000000000")
        #expect(try await query(far, .custom { _ in "far" }) == "d=far")
        #expect(await failure { _ = try await query(far, .iso8601) }?.code == .queryEncodingFailed)
        let tooFar = Date(timeIntervalSince1970: 1e306)
        #expect(await failure { _ = try await query(tooFar, .millisecondsSince1970) }?.code == .queryEncodingFailed)
        let never = Date(timeIntervalSince1970: .infinity)
        #expect(await failure { _ = try await query(never, .custom { _ in "x" }) }?.code == .queryEncodingFailed)
    }

    private func query(_ date: Date, _ style: QueryEncoding.DateStyle) async throws -> String? {
        try await freeze(server().get().query(["d": date], encoding: QueryEncoding(dates: style))).target.query
    }

    @Test("in JSON is that of the encoder")
    func json() async throws {
        struct Order: Encodable {
            var amount = Decimal(string: "19.99")
            var range = 1..<5
        }
        let request = try await freeze(server().post().json(Order()))
        let text = String(decoding: try #require(request.content.data), as: UTF8.self)
        #expect(text.contains("\"amount\":19.99"))
        #expect(text.contains("\"range\":[1,5]"))
    }

    @Test("structures stay structures: components of dates and names, and intervals")
    func structures() async throws {
        let interval = DateInterval(start: Date(timeIntervalSince1970: 0), duration: 60)
        let parameters: [String: Any] = ["c": DateComponents(year: 2026, month: 1), "i": interval]
        let query = try #require(try await freeze(server().get().query(parameters)).target.query)
        #expect(
            Set(query.split(separator: "&")) == [
                "c%5Byear%5D=2026", "c%5Bmonth%5D=1", "i%5Bstart%5D=1970-01-01T00%3A00%3A00Z", "i%5Bduration%5D=60",
            ]
        )
    }

    @Test("of many members and elements takes time in proportion to their number")
    func linear() async throws {
        struct Many: Encodable {
            var members: [String: Int]
            var elements: [Int]
        }
        // Where each member copies those before it, this takes minutes.
        let count = 100_000
        let members = Dictionary(uniqueKeysWithValues: (0..<count).map { (String($0), $0) })
        let query = try #require(
            try await freeze(server().get().query(Many(members: members, elements: Array(0..<count)))).target.query
        )
        #expect(query.utf8.count { $0 == UInt8(ascii: "&") } == 2 * count - 1)
    }

    @Test("that a type encodes twice under one key is the last one, with few members and with many")
    func repeatedKeys() async throws {
        struct Twice: Encodable {
            struct Key: CodingKey {
                let stringValue: String
                var intValue: Int? { nil }
                init?(stringValue: String) { self.stringValue = stringValue }
                init?(intValue: Int) { nil }
            }
            let count: Int

            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: Key.self)
                for round in 1...2 {
                    for index in 0..<count {
                        guard let key = Key(stringValue: "k\(index)") else { continue }
                        try container.encode(round, forKey: key)
                    }
                }
            }
        }
        for count in [1, 7, 8, 9, 20] {
            let query = try #require(try await freeze(server().get().query(Twice(count: count))).target.query)
            #expect(query == (0..<count).map { "k\($0)=2" }.joined(separator: "&"))
        }
    }
}
