// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyCurl
import SwiftyTransport
import TestSupport
import Testing

@Suite("Certificates that are reported", .timeLimit(.minutes(15)))
struct CertificateReportTests {
    @Test("are the chain that the server sent, on new and reused connections and in errors", arguments: [true, false])
    func chain(http2: Bool) async throws {
        let (files, pin, key, root) = try await CertificateFactory.run { factory in
            try factory.make("root", extensions: CertificateFactory.authority)
            try factory.make("middle", extensions: CertificateFactory.authority, issuer: "root")
            try factory.make("leaf", extensions: CertificateFactory.name("leaf.test"), issuer: "middle")
            let (pin, key) = (try factory.certificatePin("leaf"), try factory.publicKeyPin("leaf"))
            try factory.data("leaf.pem", "middle.pem").write(to: factory.folder.url.appending(path: "leaf.pem"))
            return (try factory.files(), pin, key, try factory.data("root.pem"))
        }
        let server = try await NginxServer.start(files: files) { port in
            NginxServer.block(port, name: "leaf.test", certificate: "leaf", http2: http2)
        }
        let settings = server.settings(
            ["leaf.test", "other.test"],
            .with {
                $0.trust = .pem(root)
                $0.reportsCertificates = true
            }
        )
        let transport = CurlTransport(configuration: .with { $0.settings = settings })
        for isReused in [false, true, true] {
            let metrics = try await transport.get(server.url("leaf.test")).metrics
            #expect(metrics.isConnectionReused == isReused)
            #expect(metrics.certificates.map(\.subject) == ["CN = leaf", "CN = middle"])
            let parameters = try #require(metrics.tlsParameters)
            #expect(parameters.version == "TLSv1.3")
            #expect(parameters.cipherSuite.hasPrefix("TLS_"))
            #expect(parameters.applicationProtocol == (http2 ? "h2" : "http/1.1"))
        }
        let leaf = try #require(try await transport.get(server.url("leaf.test")).metrics.certificates.first)
        #expect(leaf.issuer == "CN = middle")
        #expect(leaf.pin == pin)
        #expect(leaf.publicKeyPin == key)
        let written = try #require(files["leaf.pem"])
        #expect(String(decoding: written, as: UTF8.self).hasPrefix(leaf.pem))
        let (start, end) = (try #require(leaf.notBefore), try #require(leaf.notAfter))
        #expect(abs(start.timeIntervalSinceNow) < 600)
        #expect(end.timeIntervalSince(start) == 2 * 86400)

        let error = try await transport.failure(of: .to(server.url("other.test")))
        #expect(error.code == .certificateInvalid)
        #expect(error.certificates.map(\.pin).first == pin)
    }

    @Test("are not reported without being requested, nor in cleartext")
    func none() async throws {
        let server = try await NginxServer.start()
        let settings = server.settings(["localhost"], .with { $0.trust = .file(server.certificateAuthority) })
        let metrics = try await CurlTransport(configuration: .with { $0.settings = settings }).get(server.url).metrics
        #expect(metrics.certificates.isEmpty)
        #expect(metrics.tlsParameters == nil)
        #expect(metrics.isServerVerified == true)
    }
}
