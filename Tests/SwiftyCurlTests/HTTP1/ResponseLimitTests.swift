// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyCurl
import SwiftyTestServers
import SwiftyTransport
import Testing

@Suite("Limits of responses", .timeLimit(.minutes(15)))
struct ResponseLimitTests {
    private static let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"

    /// Endless responses: their beginning, and the bytes that are repeated.
    static let endless: [(start: String, part: String)] = [
        ("", "HTTP/1.1 103 Hints\r\n\r\n"),
        ("HTTP/1.1 200 OK\r\n", "X-A: b\r\n"),
        ("HTTP/1.1 200 OK\r\nX-A: ", "b"),
        ("HTTP/1.1 200 OK\r\n", "X-A: \(String(repeating: "b", count: 5_000))\r\n"),
        (chunked + "0\r\n", "X-A: b\r\n"),
        (chunked + "0\r\nX-A: ", "b"),
        (chunked + "3;", "extension"),
        (chunked, "1;\(String(repeating: "e", count: 5_000))\r\na\r\n"),
    ]

    @Test("an endless response is too large immediately, and its connection is never reused", arguments: endless)
    func flood(_ start: String, _ part: String) async throws {
        let piece = String(repeating: part, count: 200_000 / part.utf8.count)
        let steps = (0..<50).map { _ in ScriptedServer.Step.send(piece) }
        let server = try ScriptedServer.answering(start, then: steps)
        let transport = CurlTransport()
        let error = try await transport.failure(of: .to(server.url))
        #expect(error.code == .responseTooLarge, "\(start.debugDescription) \(error)")
        #expect(try await transport.get(server.url).text == "fresh")
        #expect(server.connectionCount == 2)
    }

    @Test("each limit can be set, and a response just within it is accepted")
    func limits() async throws {
        let hint = "HTTP/1.1 103 Hints\r\nA: b\r\n\r\n"
        let end = "HTTP/1.1 200 OK\r\nB: c\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nT: u\r\n\r\n"
        let answer = hint + hint + end
        let changes:
            [(
                name: String, within: (inout TransportSettings.Responses) -> Void,
                beyond: (inout TransportSettings.Responses) -> Void
            )] = [
                ("informationalLimit", { $0.informationalLimit = 2 }, { $0.informationalLimit = 1 }),
                ("fieldCountLimit", { $0.fieldCountLimit = 5 }, { $0.fieldCountLimit = 4 }),
                ("trailerLimit", { $0.trailerLimit = 6 }, { $0.trailerLimit = 5 }),
                ("headLimit", { $0.headLimit = 500 }, { $0.headLimit = 50 }),
                ("contentLimit", { $0.contentLimit = 3 }, { $0.contentLimit = 2 }),
            ]
        for change in changes {
            let server = try ScriptedServer([.readRequest, .send(answer)])
            let within = CurlTransport(configuration: .with { change.within(&$0.settings.responses) })
            #expect(try await within.get(server.url).text == "abc")
            let beyond = CurlTransport(configuration: .with { change.beyond(&$0.settings.responses) })
            let error = try await beyond.failure(of: .to(server.url))
            #expect(error.code == .responseTooLarge)
            let setting = "the limit that TransportSettings.responses.\(change.name) sets"
            #expect(error.reason.hasSuffix(setting), "\(error)")
        }
    }

    @Test("more fields than their collection can hold are too many, whatever the limit")
    func fields() async throws {
        let fields = String(repeating: "A:\r\n", count: 70_000)
        let server = try ScriptedServer([.readRequest, .send("HTTP/1.1 200 OK\r\n\(fields)Content-Length: 0\r\n\r\n")])
        let transport = CurlTransport(
            configuration: .with {
                $0.settings.responses.fieldCountLimit = .max
                $0.settings.responses.headLimit = .max
            }
        )
        #expect(try await transport.failure(of: .to(server.url)).code == .responseTooLarge)
        #expect(TransportSettings.Responses.with { $0.fieldCountLimit = .max }.fieldCountLimit == 60_000)
        let head = ResponseHead(statusCode: 200, reasonPhrase: "", httpVersion: .http1_1, rawFields: Array(fields.utf8))
        #expect(head.headers.count == 65_000)
    }

    @Test("an exceeded limit is reported with the announced size")
    func words() async throws {
        let small = CurlTransport(configuration: .with { $0.settings.responses.contentLimit = 100 })
        let announcing = try ScriptedServer([.readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 101\r\n\r\n")])
        let announced = try await small.failure(of: .to(announcing.url))
        #expect(announced.reason.contains("exceeds 100 bytes"))
        #expect(announced.reason.hasSuffix(": it announces 101"))
        let framed = try ScriptedServer.answering(
            Self.chunked,
            then: [.send("3;\(String(repeating: "e", count: 90_000))")]
        )
        let tight = CurlTransport(configuration: .with { $0.settings.responses.headLimit = 1_000 })
        let chunks = try await tight.failure(of: .to(framed.url)).reason
        #expect(chunks.contains("chunks exceeds 1000 bytes"), "\(chunks)")
        #expect(chunks.contains("responses.headLimit"), "\(chunks)")
    }

    @Test("a raised limit holds for a single field, too")
    func longField() async throws {
        let value = String(repeating: "a", count: 1_000_000)
        let server = try ScriptedServer([.readRequest, .send("HTTP/1.1 204 None\r\nX-A: \(value)\r\n\r\n"), .stall])
        let transport = CurlTransport(configuration: .with { $0.settings.responses.headLimit = 10 << 20 })
        let head = try await transport.get(server.url).head
        #expect(try head.headers[#require(HTTPField.Name("X-A"))] == value)
    }

    @Test("small chunks do not count as excessive framing")
    func smallChunks() async throws {
        let chunks = String(repeating: "1\r\na\r\n", count: 200_000)
        let server = try ScriptedServer([.readRequest, .send(Self.chunked + chunks + "0\r\n\r\n")])
        #expect(try await CurlTransport().get(server.url).content.count == 200_000)
    }
}
