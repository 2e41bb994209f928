// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyCurl
import SwiftyTransport
import Testing

/// Loads from the server of `Tests/Peers/handshake.py`.
@Suite("A TLS handshake that fails", .timeLimit(.minutes(15)))
struct HandshakeTests {
    @Test(
        "because the connection is lost says so, as without TLS, and is retried",
        arguments: ["close", "reset", "closelate", "resetlate", "cut"]
    )
    func lost(kind: String) async throws {
        let peer = try await TLSPeer("handshake.py", option: "\(kind) 12")
        for _ in 0..<10 {
            let error = await #expect(throws: SwiftyError.self) { try await peer.transport().get(peer.url("x")) }
            // A reset may come before the client knows that it is connected.
            let isEarly = kind == "reset" && error?.code == .connectionFailed
            #expect(isEarly || error?.code == .connectionLost && error?.stage == .tls, "\(error?.description ?? "")")
            #expect(error?.sent == .notSent)
        }
        let swifty = Swifty(transport: peer.transport()) {
            $0.retry = RetryPolicy(maximumAttempts: 5)
        }
        let response = try await BaseResource(peer.url(""), networkInterface: swifty).get("x").load()
        #expect(response.string == "ok")
        #expect(response.metrics.attempts.count == 3)
    }

    @Test("for a reason of TLS says so, and is not retried", arguments: ["plain", "version"])
    func tls(kind: String) async throws {
        let peer = try await TLSPeer("handshake.py", option: "\(kind) 100")
        for _ in 0..<10 {
            let error = await #expect(throws: SwiftyError.self) { try await peer.transport().get(peer.url("x")) }
            #expect(error?.code == .tlsFailed, "\(error?.description ?? "")")
            #expect(error?.sent == .notSent)
        }
    }

    @Test("because the server demands a client certificate always says so")
    func identity() async throws {
        let peer = try await TLSPeer("handshake.py", option: "identity 1000")
        let transport = peer.transport()
        for _ in 0..<40 {
            let error = await #expect(throws: SwiftyError.self) { try await transport.get(peer.url("x")) }
            #expect(error?.code == .clientCertificateRefused, "\(error?.description ?? "")")
        }
    }
}
