// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyCurl
import SwiftyTransport
import TestSupport
import Testing

@Suite("Pins through a tunnel", .timeLimit(.minutes(15)))
struct TunneledPinTests {
    private func transport(
        _ origin: NginxServer,
        _ squid: SquidProxy,
        _ change: (inout TransportSettings.TLS) -> Void
    ) -> CurlTransport {
        CurlTransport(
            configuration: .with {
                $0.settings.proxy = .proxy(TransportSettings.Proxy(.http, at: squid.address))
                $0.settings.tls.trust = .file(origin.certificateAuthority)
                change(&$0.settings.tls)
            }
        )
    }

    @Test("are compared with the server's certificate, on new and reused connections, and nothing is sent to another")
    func pins() async throws {
        let origin = try await NginxServer.start()
        let squid = try await SquidProxy.start(tunnelPorts: [origin.port])
        let plain = transport(origin, squid) { $0.reportsCertificates = true }
        let leaf = try #require(try await plain.get(origin.url).metrics.certificates.first)
        let other = TransportSettings.TLS.Pins.pin(of: Array("other".utf8))
        let key = try #require(leaf.publicKeyPin)
        for pins in [TransportSettings.TLS.Pins.publicKeys([other, key]), .certificates([other, leaf.pin])] {
            let pinned = transport(origin, squid) { $0.pins = ["localhost": pins] }
            for isReused in [false, true] {
                #expect(try await pinned.get(origin.url).metrics.isConnectionReused == isReused)
            }
        }
        for pins in [TransportSettings.TLS.Pins.publicKeys([other]), .certificates([other])] {
            let pinned = transport(origin, squid) { $0.pins = ["localhost": pins] }
            for _ in 0..<2 {
                let request = try NetworkRequest.to(origin.url, method: .post, content: Data("secret".utf8))
                let error = try await pinned.failure(of: request)
                #expect(error.code == .certificatePinMismatch, "\(error)")
                #expect(error.stage == .tls)
                #expect(error.sent == .notSent)
            }
        }
        try await until { origin.log.count == 5 }
        #expect(!origin.log.contains { $0.contains("POST") })
    }
}
