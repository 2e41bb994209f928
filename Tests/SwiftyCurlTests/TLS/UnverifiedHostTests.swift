// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyCurl
import SwiftyTransport
import TestSupport
import Testing

@Suite("Hosts that are not verified", .timeLimit(.minutes(15)))
struct UnverifiedHostTests {
    private func server(http2: Bool = true) async throws -> NginxServer {
        let files = try await CertificateFactory.run { factory in
            try factory.make("stranger", extensions: CertificateFactory.authority)
            try factory.make("self", extensions: CertificateFactory.name("self.test"))
            return try factory.files()
        }
        return try await NginxServer.start(files: files) { port in
            NginxServer.block(port, name: "self.test", certificate: "self", http2: http2)
        }
    }

    /// Trusts an authority unrelated to the server. The system's authorities are many, and slow to read.
    private func transport(_ server: NginxServer, unverified: Set<String>) -> CurlTransport {
        let tls = TransportSettings.TLS.with {
            ($0.trust, $0.unverifiedHosts) = (.file(server.file("stranger.pem")), unverified)
        }
        let settings = server.settings(["self.test", "other.test"], tls)
        return CurlTransport(configuration: .with { $0.settings = settings })
    }

    @Test("are reported in the metrics, and the next transport verifies them again", arguments: [true, false])
    func notSticky(http2: Bool) async throws {
        let server = try await server(http2: http2)
        let insecure = transport(server, unverified: ["Self.TEST"])
        for isReused in [false, true, true] {
            let metrics = try await insecure.get(server.url("self.test")).metrics
            #expect(metrics.isServerVerified == false)
            #expect(metrics.isConnectionReused == isReused)
        }
        let secure = transport(server, unverified: [])
        let error = try await secure.failure(of: .to(server.url("self.test")))
        #expect(error.code == .certificateInvalid)
        #expect(error.transfer?.isServerVerified == nil)
        #expect(try await insecure.get(server.url("self.test")).metrics.isConnectionReused)
    }

    @Test("may have a valid certificate for another name, if the name alone is not verified", arguments: [true, false])
    func names(http2: Bool) async throws {
        let server = try await server(http2: http2)
        func transport(_ tls: TransportSettings.TLS) -> CurlTransport {
            let settings = server.settings(["self.test", "other.test"], tls)
            return CurlTransport(configuration: .with { $0.settings = settings })
        }
        let trusting = transport(
            .with {
                ($0.trust, $0.unverifiedNames) = (.file(server.file("self.pem")), ["other.test"])
            }
        )
        for isReused in [false, true] {
            let metrics = try await trusting.get(server.url("other.test")).metrics
            #expect(metrics.isServerVerified == false)
            #expect(metrics.isConnectionReused == isReused)
        }
        // Its other hosts are verified as before, on connections of their own.
        #expect(try await trusting.get(server.url("self.test")).metrics.isServerVerified == true)
        let strict = transport(.with { $0.trust = .file(server.file("self.pem")) })
        #expect(try await strict.failure(of: .to(server.url("other.test"))).code == .certificateInvalid)
        let stranger = transport(
            .with {
                ($0.trust, $0.unverifiedNames) = (.file(server.file("stranger.pem")), ["other.test"])
            }
        )
        #expect(try await stranger.failure(of: .to(server.url("other.test"))).code == .certificateInvalid)
    }

    @Test("leave all others verified, in a thousand alternating loads")
    func perHost() async throws {
        let server = try await server()
        let insecure = transport(server, unverified: ["self.test"])
        let secure = transport(server, unverified: ["other.test"])
        // Of each four: one that may succeed, and three that must not inherit its exemption.
        let loads: [(CurlTransport, String, Bool)] = [
            (insecure, "self.test", true), (insecure, "other.test", false), (secure, "self.test", false),
            (secure, "self.test.", false),
        ]
        let wrong = try await withThrowingTaskGroup(of: Int.self) { group in
            for worker in 0..<4 {
                group.addTask {
                    var wrong = 0
                    for index in 0..<250 {
                        let (transport, host, isRight) = loads[(worker + index) % 4]
                        var request = try NetworkRequest.to(server.url(host))
                        request.connectsTo = HostAndPort(host: "127.0.0.1", port: server.port)
                        request.requiresNewConnection = index % 10 == 0
                        do {
                            wrong +=
                                try await transport.load(request).metrics.isServerVerified == false && isRight ? 0 : 1
                        } catch let error as SwiftyError {
                            wrong += error.code == .certificateInvalid && !isRight ? 0 : 1
                        }
                    }
                    return wrong
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(wrong == 0)
        try await until { server.log.count == 250 }
    }

    @Test("do not affect cleartext, for which nothing is reported")
    func cleartext() async throws {
        let error = try await CurlTransport().failure(of: .to("http://127.0.0.1:1/"))
        #expect(error.transfer?.isServerVerified == nil)
    }
}
