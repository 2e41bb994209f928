// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyCurl
import SwiftyTransport
import Testing

/// OpenSSL reads whole records. Bytes of a record that are not taken stay in OpenSSL, where the socket does not show
/// them.
@Suite("Bytes behind a response over TLS", .timeLimit(.minutes(15)))
struct TLSExcessTests {
    /// The route to the server of `Tests/Peers/kept.py`.
    enum Way: CaseIterable {
        case direct
        /// An `http` URL through a proxy over TLS.
        case secureProxy
        /// An `https` URL through such a proxy: TLS within TLS.
        case tunnel
    }

    /// A complete response of each kind. Those of 20,000 bytes end in the middle of a record.
    static let complete = [
        length(0), length(3), length(16_000), length(20_000), length(40_000), chunked(3), chunked(20_000),
        "HTTP/1.1 204 None\r\n\r\n", "HTTP/1.1 304 Same\r\nContent-Length: 4\r\n\r\n",
    ]

    private static let evil = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nEVIL"
    private static let record = "\n-- record --\n"

    private static func length(_ count: Int) -> String {
        "HTTP/1.1 200 OK\r\nContent-Length: \(count)\r\n\r\n" + String(repeating: "a", count: count)
    }

    private static func chunked(_ count: Int) -> String {
        let chunk = "\(String(count, radix: 16))\r\n\(String(repeating: "a", count: count))\r\n"
        return "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\(chunk)0\r\n\r\n"
    }

    private func transport(_ peer: TLSPeer, _ way: Way) -> CurlTransport {
        peer.transport {
            if way == .direct { return }
            $0.settings.proxy = .proxy(
                TransportSettings.Proxy(.https, at: HostAndPort(host: "localhost", port: peer.port))
            )
        }
    }

    /// A request whose response is these bytes.
    private func request(_ peer: TLSPeer, _ way: Way, answer: String) throws -> NetworkRequest {
        let url = way == .secureProxy ? "http://localhost:\(peer.port)/" : peer.url("")
        return try .to(
            url,
            method: .post,
            content: Data(answer.utf8),
            timeouts: NetworkRequest.Timeouts(total: .seconds(60))
        )
    }

    @Test(
        "are not taken for the next response, whatever record they come in",
        arguments: ["TLSv1_2", "TLSv1_3"],
        Way.allCases
    )
    func excess(version: String, way: Way) async throws {
        let peer = try await TLSPeer("kept.py", option: version)
        for answer in Self.complete {
            for separator in ["", Self.record] {
                let transport = transport(peer, way)
                let first = try request(peer, way, answer: answer + separator + Self.evil)
                #expect(try await !transport.load(first).text.contains("EVIL"))
                for text in ["fresh", "again"] {
                    let next = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n\(text)"
                    #expect(
                        try await transport.load(request(peer, way, answer: next)).text == text,
                        "\(answer.prefix(60))"
                    )
                }
                await transport.shutdown()
            }
        }
    }

    @Test("without them the connection is reused, even with TLS within TLS", arguments: Way.allCases)
    func reuse(way: Way) async throws {
        let peer = try await TLSPeer("kept.py", option: "TLSv1_3")
        let transport = transport(peer, way)
        for (index, answer) in Self.complete.enumerated() {
            let response = try await transport.load(request(peer, way, answer: answer))
            #expect(response.metrics.isConnectionReused == (index > 0), "\(answer.prefix(60))")
        }
    }
}
