// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyCurl
import SwiftyTestServers
import SwiftyTransport
import Testing

@Suite("Repeating a request on a dead connection", .timeLimit(.minutes(15)))
struct ReplayTests {
    private let transport = CurlTransport()

    /// Responds to the first request of the first connection, reads the second, and then breaks the connection.
    private func server(dying steps: [ScriptedServer.Step]) throws -> ScriptedServer {
        try ScriptedServer { connection in
            connection == 0
                ? [.readRequest, .respond(200, content: "one"), .readRequest] + steps
                : [.readRequest, .respond(200, content: "fresh")]
        }
    }

    @Test(
        "a POST that the server may have read is never repeated",
        arguments: [[ScriptedServer.Step.close], [.reset], [.send("HTTP/1.1 2"), .close]],
        ["", "content", String(repeating: "long", count: 50_000)]
    )
    func post(_ steps: [ScriptedServer.Step], _ content: String) async throws {
        let server = try server(dying: steps)
        _ = try await transport.get(server.url)
        let error = try await transport.failure(of: .to(server.url, method: .post, content: Data(content.utf8)))
        #expect(error.code == .connectionLost || error.code == .malformedResponse, "\(error)")
        #expect(error.sent == .maybeSent)
        // A repetition would be on its way before the next request of the same loop.
        #expect(try await transport.get(server.url).text == "fresh")
        #expect(server.log.requests.map(\.method) == ["GET", "POST", "GET"])
        #expect(server.connectionCount == 2)
    }

    @Test("a GET, and a POST with an Idempotency-Key, are repeated on a new connection")
    func idempotent() async throws {
        let key = try #require(HTTPField.Name("Idempotency-Key"))
        for headers in [[:], [key: "1"]] as [HTTPFields] {
            let server = try server(dying: [.close])
            _ = try await transport.get(server.url)
            let method: HTTPRequest.Method = headers.isEmpty ? .get : .post
            let response = try await transport.load(.to(server.url, method: method, headers: headers))
            #expect(response.text == "fresh")
            #expect(response.metrics.repetitions == 1)
            #expect(server.log.requests.count == 3)
        }
    }

    @Test("repeated large content is sent from its beginning")
    func rewind() async throws {
        let server = try server(dying: [.close])
        _ = try await transport.get(server.url)
        let body = Data((0..<500_000).map { UInt8(truncatingIfNeeded: $0) })
        let response = try await transport.load(.to(server.url, method: .put, content: body))
        #expect(response.text == "fresh")
        #expect(server.log.requests.last.map { Data($0.content) } == body)
    }
}
