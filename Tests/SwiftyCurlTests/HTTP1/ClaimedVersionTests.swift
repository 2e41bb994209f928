// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyCurl
import SwiftyTestServers
import SwiftyTransport
import TestSupport
import Testing

/// A client that trusts such a line would share the connection between loads while it is in use.
@Suite("Responses in HTTP/1 whose status line names another version", .timeLimit(.minutes(15)))
struct ClaimedVersionTests {
    private static let claims = ["HTTP/2", "HTTP/3"]

    private func answer(_ version: String, _ text: String) -> String {
        "\(version) 200 OK\r\nContent-Length: \(text.utf8.count)\r\n\r\n\(text)"
    }

    @Test(
        "are malformed, and end their connection",
        arguments: claims,
        [
            " 200 OK\r\nContent-Length: 2\r\n\r\nok", " 200\r\n\r\n", " 204 \r\n\r\n",
            " 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n", " 103 Hints\r\n\r\nHTTP/1.1 200 OK\r\n\r\n",
        ]
    )
    func plain(version: String, rest: String) async throws {
        let server = try ScriptedServer.answering(version + rest)
        let transport = CurlTransport()
        let error = try await transport.failure(of: .to(server.url))
        #expect(error.code == .malformedResponse, "\(error)")
        #expect(try await transport.get(server.url).text == "fresh")
    }

    @Test("never give one load the response to another, over TLS", arguments: claims)
    func sharing(version: String) async throws {
        let peer = try await TLSPeer("kept.py", option: "TLSv1_3")
        let transport = peer.transport { $0.loops = 1 }
        func request(_ answer: String) throws -> NetworkRequest {
            try .to(
                peer.url(""),
                method: .post,
                content: Data(answer.utf8),
                timeouts: NetworkRequest.Timeouts(total: .seconds(60))
            )
        }
        #expect(try await transport.failure(of: request(answer(version, "ok"))).code == .malformedResponse)
        for _ in 0..<3 {
            let cancellation = LoadCancellation()
            // It is cancelled while it waits for its response, which comes half a second after its request.
            let (firstSent, secondSent) = (Gate(), Gate())
            var first = try request("\n-- pause --\n" + answer("HTTP/1.1", "first"))
            first.onEvent = { if case .requestSent = $0 { firstSent.open() } }
            async let ended: TransportResponse? = try? transport.send(first, cancellation: cancellation)
            try await until { firstSent.isOpen }
            var second = try request(answer("HTTP/1.1", "second"))
            second.onEvent = { if case .requestSent = $0 { secondSent.open() } }
            async let text = transport.load(second).text
            try await until { secondSent.isOpen }
            cancellation.cancel()
            #expect(try await text == "second")
            _ = await ended
        }
    }
}
