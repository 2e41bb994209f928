// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import WebServiceDSL

@Suite("A format of content", .timeLimit(.minutes(15)))
struct ContentFormatTests {
    private struct Visit: Codable, Sendable, Equatable {
        var visitorName: String
        var begin: Date
    }

    private static let noon = Date(timeIntervalSince1970: 1_769_860_800)

    private enum Diary: WebService {
        static let serverURL = "https://diary.example.com"
        static let interface = RecordingInterface { request in
            NetworkResponse(head: ResponseHead(statusCode: 200), data: request.content.data, request: request)
        }
        static var networkInterface: any NetworkInterface { interface }
        static let format: any ContentFormat = .json { options in
            options.keys = .snakeCase
            options.dates = .iso8601
            options.sortsKeys = true
        }
        static func add(_ visit: Visit) -> TypedResource<Visit> { server.post("visits").content(visit).decode() }
    }

    @Test("of a service is used in both directions, and says what it is")
    func service() async throws {
        let visit = Visit(visitorName: "Ada", begin: Self.noon)
        #expect(try await Diary.add(visit).load() == visit)
        let request = try #require(Diary.interface.requests.last)
        #expect(request.content.data == Data(#"{"begin":"2026-01-31T12:00:00Z","visitor_name":"Ada"}"#.utf8))
        #expect(request.headers[.contentType] == "application/json")
        #expect(request.headers[.accept] == "application/json")
        let json = try await freeze(Diary.server.post("x").json(visit))
        #expect(json.content.data == request.content.data)
    }

    @Test("of a request takes the place of the service's")
    func request() async throws {
        let resource = Diary.server.post("x").format(.propertyList)
        let request = try await freeze(resource.content(["a": 1]).decode([String: Int].self))
        #expect(request.headers[.contentType] == "application/x-plist")
        #expect(request.headers[.accept] == "application/x-plist")
        #expect(try PropertyListDecoder().decode([String: Int].self, from: #require(request.content.data)) == ["a": 1])
        let once = try await freeze(Diary.server.post("x").content("é", format: .text))
        #expect(once.content.data == Data("é".utf8))
        #expect(once.headers[.contentType] == "text/plain; charset=utf-8")
    }

    @Test("changes neither a field that the request has, nor one that it removes")
    func ownFields() async throws {
        let resource = Diary.server.post("x").header(.accept, "a/b").header(.contentType, "c/d").content(1)
        let request = try await freeze(resource.decode(Int.self))
        #expect(request.headers[values: .accept] == ["a/b"])
        #expect(request.headers[values: .contentType] == ["c/d"])
        let removed = try await freeze(Diary.server.get("x").removeHeader("Accept").decode(Int.self))
        #expect(removed.headers[values: .accept] == [])
    }

    @Test("that no service names adds no Accept")
    func implied() async throws {
        #expect(try await freeze(server().get("x").decode(Int.self)).headers.isEmpty)
        let named = try await freeze(server().get("x").decode(Int.self, format: .json))
        #expect(named.headers[.accept] == "application/json")
    }

    @Test(
        "reads dates in ISO 8601 with and without a fraction of the second",
        arguments: [
            ("2026-01-31T12:00:00Z", 0), ("2026-01-31T12:00:00.000Z", 0), ("2026-01-31T13:00:00+01:00", 0),
            ("2026-01-31T12:00:00.5Z", 0.5), ("2026-01-31T07:00:00.25-0500", 0.25),
        ]
    )
    func fractions(text: String, fraction: Double) throws {
        let format: JSONFormat = .json { $0.dates = .iso8601 }
        let dates = try format.decode([Date].self, from: Data("[\"\(text)\"]".utf8))
        #expect(dates == [Self.noon.addingTimeInterval(fraction)])
    }

    @Test(
        "refuses text that is no date in ISO 8601",
        arguments: [
            "2026-02-30T00:00:00Z", "2026-01-31T12:00:00Zfoo", "2026-01-31", "2026-01-31T12:00:00", "", "+0100",
        ]
    )
    func otherDates(text: String) {
        let format: JSONFormat = .json { $0.dates = .iso8601 }
        #expect(throws: DecodingError.self) { try format.decode([Date].self, from: Data("[\"\(text)\"]".utf8)) }
    }

    @Test("writes and reads dates and numbers as its options say")
    func options() throws {
        let styles: [(JSONFormat.DateStyle, String)] = [
            (.secondsSince2001, "[791553600]"), (.secondsSince1970, "[1769860800]"),
            (.millisecondsSince1970, "[1769860800000]"),
            (.custom(write: { _ in "noon" }, read: { $0 == "noon" ? Self.noon : nil }), #"["noon"]"#),
        ]
        for (style, text) in styles {
            let format: JSONFormat = .json { $0.dates = style }
            #expect(try format.encode([Self.noon]) == Data(text.utf8))
            #expect(try format.decode([Date].self, from: Data(text.utf8)) == [Self.noon])
        }
        let numbers: JSONFormat = .json { $0.allowsNonFiniteNumbers = true }
        #expect(try numbers.encode([Double.infinity]) == Data(#"["inf"]"#.utf8))
        #expect(try numbers.decode([Double].self, from: Data(#"["-inf"]"#.utf8)) == [-.infinity])
        #expect(throws: (any Error).self) { try JSONFormat().encode([Double.nan]) }
    }

    @Test("of forms writes and reads the properties of a value, in the style of queries")
    func forms() async throws {
        struct Search: Codable, Sendable, Equatable {
            var text: String
            var tags: [String]
            var isOpen: Bool?
        }
        let search = Search(text: "a&b=ü", tags: ["x", "y z"], isOpen: true)
        for encoding in [QueryEncoding.standard, .brackets, QueryEncoding(bools: .numeric, keys: .snakeCase)] {
            let format = FormFormat(encoding: encoding)
            let request = try await freeze(server().post("x").content(search, format: format))
            #expect(request.headers[.contentType] == "application/x-www-form-urlencoded")
            let content = try #require(request.content.data)
            #expect(try format.decode(Search.self, from: content) == search)
        }
        #expect(throws: EncodingError.self) { try FormFormat().encode(["a": Double.nan]) }
        #expect(throws: DecodingError.self) { try FormFormat().decode(Search.self, from: Data("tags=a".utf8)) }
    }

    @Test("may be one of the user's, of two functions")
    func own() async throws {
        struct Reversed: ContentFormat {
            let mediaType = "Application/X-Reversed; v=1"
            func encode(_ value: some Encodable) throws -> Data { Data(try JSONEncoder().encode(value).reversed()) }
            func decode<Value: Decodable>(_ type: Value.Type, from content: Data) throws -> Value {
                try JSONDecoder().decode(type, from: Data(content.reversed()))
            }
        }
        let echo = RecordingInterface { request in
            NetworkResponse(head: ResponseHead(statusCode: 200), data: request.content.data, request: request)
        }
        let base = BaseResource("https://a", networkInterface: echo, format: Reversed())
        #expect(try await base.post().content(["k": [1, 2]]).decode([Int].self, at: "k").load() == [1, 2])
        #expect(echo.requests.first?.content.data == Data("}]2,1[:\"k\"{".utf8))
        #expect(echo.requests.first?.headers[.contentType] == "Application/X-Reversed; v=1")
        #expect(echo.requests.first?.headers[.accept] == "application/x-reversed")
    }

    @Test("that cannot express a value fails the load, with the reason")
    func failures() async throws {
        struct Pair: Codable, Sendable { var a = 1 }
        let encoded = await #expect(throws: SwiftyError.self) {
            try await freeze(server().post("x").content(Pair(), format: .text))
        }
        #expect(encoded?.code == .encodingFailed)
        #expect(encoded?.reason.contains("text/plain") == true)
        let plist = await #expect(throws: SwiftyError.self) {
            try await freeze(server().post("x").content(1, format: .propertyList))
        }
        #expect(plist?.code == .encodingFailed)
        let response = NetworkResponse(head: ResponseHead(statusCode: 200), data: Data("12x".utf8))
        #expect(throws: SwiftyError.self) { try response.decode(Int.self, format: .text) }
        #expect(throws: SwiftyError.self) { try response.decode(Pair.self, format: .text) }
    }

    @Test("of a text is read in the charset of the response, without a byte order mark")
    func charsets() throws {
        func response(_ type: String, _ content: [UInt8]) -> NetworkResponse {
            let head = ResponseHead(statusCode: 200, headers: [.contentType: type])
            return NetworkResponse(head: head, data: Data(content))
        }
        let latin = response("text/plain; charset=iso-8859-1", [0xE9, 0x0A])
        #expect(try latin.decode(String.self, format: .text) == "é\n")
        let wide = response("application/json; charset=utf-16", [0xFF, 0xFE, 0x5B, 0, 0x31, 0, 0x5D, 0])
        #expect(try wide.decode([Int].self) == [1])
        let number = NetworkResponse(head: ResponseHead(statusCode: 200), data: Data(" 42\r\n".utf8))
        #expect(try number.decode(Int.self, format: .text) == 42)
    }
}
