// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyConformance
import SwiftyTransport
import TestSupport
import Testing

/// A transport that begins a TLS handshake, and may fall back to HTTP when the server refuses it.
private struct FallingBackTransport: Transport {
    let capabilities: TransportCapabilities = [.network, .tls]
    let fallsBack: Bool

    func send(
        _ request: NetworkRequest,
        cancellation: LoadCancellation
    ) async throws(SwiftyError) -> TransportResponse {
        do {
            let client = try SocketClient(port: request.target.port)
            // Handshakes have random bytes, such as two line feeds.
            try client.send([0x16, 3, 1, 0, 4, 0x0A, 0x0A, 0x0A, 0x0A])
            _ = try client.readLine()
            if fallsBack { try client.send("POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 6\r\n\r\nsecret") }
        } catch {
            throw SwiftyError(.transportFailed, stage: .tls, reason: "\(error)")
        }
        throw SwiftyError(.tlsFailed, stage: .tls, reason: "the server has no TLS")
    }

    func shutdown() async {}
}

@Suite("Scenarios of the conformance suite", .timeLimit(.minutes(15)))
struct ConformanceScenarioTests {
    @Test("tell a fallback to HTTP from the random bytes of a handshake", arguments: [true, false])
    func fallback(_ fallsBack: Bool) async throws {
        let scenario = try #require(Conformance.scenarios.first { $0.name == "tls/plain-server" })
        let subject = ConformanceSubject("Falling back") { _ in FallingBackTransport(fallsBack: fallsBack) }
        let result = await Conformance.run(scenario, over: subject)
        let reason = "the number of requests that the server saw is 1, and should be 0"
        #expect(result.outcome == (fallsBack ? .failed(reason) : .passed))
    }
}
