// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import SwiftyTransport
import TestSupport
import Testing

@testable import SwiftyCurl

@Suite("Failures of the proxy and of the server", .timeLimit(.minutes(15)))
struct ProxyHopTests {
    private func explained(
        _ code: UInt32,
        kind: TransportSettings.Proxy.Kind = .http,
        isTunnel: Bool = true,
        status: Int = 0,
        isLoginRefused: Bool = false
    ) -> TransferFailure {
        var failure = TransferFailure(connectCode: CURLcode(code), text: "words", stage: .tls)
        let hop = ProxyHop(
            proxy: TransportSettings.Proxy(
                kind,
                at: HostAndPort(host: "proxy.test", port: 8),
                user: "canary",
                password: "canary"
            ),
            isTunnel: isTunnel,
            connectStatus: status,
            isLoginRefused: isLoginRefused
        )
        hop.explain(&failure, CURLcode(code))
        #expect(!failure.reason.contains("canary"))
        #expect(failure.sent == .notSent)
        return failure
    }

    @Test("until the tunnel is open, failures are the proxy's")
    func beforeTunnel() {
        for code: UInt32 in [5, 7, 8, 52, 55, 56, 97] {
            let failure = explained(code)
            #expect(failure.code == .proxyFailed, "\(code)")
            #expect(failure.stage == .connect)
            #expect(failure.reason.contains("proxy.test:8"))
        }
        #expect(explained(56, status: 407).code == .proxyAuthenticationRequired)
        #expect(explained(56, status: 403).code == .proxyFailed)
        #expect(explained(28).stage == .connect)
        #expect(
            explained(97, kind: .socks5, isTunnel: false, isLoginRefused: true).code == .proxyAuthenticationRequired
        )
    }

    @Test("in the open tunnel failures are the server's")
    func afterTunnel() {
        #expect(explained(56, status: 200).code == .connectionLost)
        #expect(explained(35, status: 200).reason == "words")
        #expect(explained(28, status: 200).stage == .tls)
        #expect(explained(56, isTunnel: false).code == .connectionLost)
    }

    @Test("a TLS handshake is the proxy's only with an HTTPS proxy, and before the tunnel is open")
    func handshake() {
        #expect(explained(60, kind: .https).reason.contains("proxy.test"))
        #expect(explained(60, kind: .https).code == .certificateInvalid)
        #expect(explained(60, kind: .https, status: 200).reason == "words")
        #expect(explained(60, kind: .http).reason == "words")
        #expect(explained(60, kind: .socks5, isTunnel: false).reason == "words")
    }
}
