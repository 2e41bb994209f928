// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import WebServiceDSL

@Suite("JSON lines", .timeLimit(.minutes(15)))
struct JSONLineTests {
    struct Row: Codable, Sendable, Equatable { var rowID: Int }
    struct User: Codable, Sendable, Equatable { var userName: String }

    @Test(
        "are decoded, and blank lines skipped, however the content is divided",
        arguments: [
            "{\"rowID\":1}\n{\"rowID\":2}\n", "{\"rowID\":1}\r\n\r\n{\"rowID\":2}",
            "\n \t\n{\"rowID\":1}\n\n{\"rowID\":2}\n\n", "\u{1E}{\"rowID\":1}\n\u{1E}{\"rowID\":2}\n",
            "\u{1E}\u{1E} {\"rowID\": 1}\n\u{1E}\n\u{1E}{\"rowID\":2}\n",
        ]
    )
    func decodes(content: String) async throws {
        for parts in divisions(of: Data(content.utf8)) {
            let rows = try await ResponseStream(parts: parts).jsonLines(Row.self).collect()
            #expect(rows == [Row(rowID: 1), Row(rowID: 2)])
        }
    }

    @Test("are decoded by the decoder of the service, or by another one")
    func decoder() async throws {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let interface = StreamingInterface(
            ResponseStream("{\"user_name\":\"a\"}"),
            ResponseStream("{\"userName\":\"b\"}")
        )
        let server = BaseResource("https://api.example.com", networkInterface: interface, decoder: decoder)
        #expect(try await server.get("rows").jsonLines(User.self).collect() == [User(userName: "a")])
        let users = try await server.get("rows").jsonLines(User.self, decoder: JSONDecoder()).collect()
        #expect(users == [User(userName: "b")])
    }

    @Test("that cannot be decoded end the sequence with the number of the line")
    func failure() async throws {
        let stream = ResponseStream("{\"rowID\":1}\n\n{\"rowID\":\"secret\"}\n{\"rowID\":2}\n")
        var rows = stream.jsonLines(Row.self).makeAsyncIterator()
        #expect(try await rows.next() == Row(rowID: 1))
        let error = await #expect(throws: SwiftyError.self) { try await rows.next() }
        #expect(error?.code == .decodingFailed)
        #expect(error?.reason == "line 3 is not Row: rowID: expected an integer, found \"secret\"")
        #expect(error?.underlying is DecodingError)
        #expect(error?.head?.statusCode == 200)
        #expect(try await rows.next() == nil)
    }

    @Test("that were cut off are not decoded")
    func cut() async throws {
        let error = await #expect(throws: SwiftyError.self) {
            try await ResponseStream("{\"rowID\":1}\n{\"row").jsonLines(Row.self).collect()
        }
        #expect(error?.code == .decodingFailed)
        #expect(error?.reason.hasPrefix("line 2 ") == true)
    }

    @Test("have a limit")
    func limit() async throws {
        let error = await #expect(throws: SwiftyError.self) {
            try await ResponseStream("[1]\n[1,2,3]\n").jsonLines([Int].self, limit: 5).collect()
        }
        #expect(error?.code == .elementTooLarge)
    }
}
