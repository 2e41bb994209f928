// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyCurl
import SwiftyTestServers
import SwiftyTransport
import TestSupport
import Testing

@Suite("The version of HTTP", .timeLimit(.minutes(15)))
struct VersionTests {
    private func transport(_ server: NginxServer, _ version: TransportSettings.Connections.Version) -> CurlTransport {
        CurlTransport(
            configuration: .with {
                $0.settings.tls.trust = .file(server.certificateAuthority)
                $0.settings.addresses.overrides = [HostAndPort(host: "localhost", port: server.port): ["127.0.0.1"]]
                $0.settings.connections.version = version
            }
        )
    }

    @Test("is the one in the settings, if the server offers it")
    func offered() async throws {
        let server = try await NginxServer.start()
        let expected: [TransportSettings.Connections.Version: ResponseHead.HTTPVersion] = [
            .automatic: .http2, .http1_1: .http1_1, .http2: .http2,
        ]
        for (version, spoken) in expected {
            let transport = transport(server, version)
            for _ in 0..<3 { #expect(try await transport.get(server.url).head.httpVersion == spoken) }
        }
    }

    @Test("a demanded HTTP/2 that is not offered fails before anything is sent")
    func notOffered() async throws {
        let server = try await NginxServer.start(http2: false)
        let transport = transport(server, .http2)
        for method in [HTTPRequest.Method.get, .post] {
            let error = try await transport.failure(of: .to(server.url, method: method))
            #expect(error.code == .versionUnavailable)
            #expect(error.sent == .notSent)
        }
        #expect(server.log.isEmpty)
    }

    @Test("a demanded HTTP/2 fails for cleartext before any connection")
    func cleartext() async throws {
        let server = try ScriptedServer([.readRequest, .respond()])
        let transport = CurlTransport(configuration: .with { $0.settings.connections.version = .http2 })
        let error = try await transport.failure(of: .to(server.url))
        #expect(error.code == .versionUnavailable)
        #expect(error.sent == .notSent)
        #expect(server.connectionCount == 0)
    }
}
