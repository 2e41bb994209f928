// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite("Over TLS, swifty", .timeLimit(.minutes(15)))
struct TLSTests {
    @Test("trusts the given authority, and reports trust without verification")
    func trust() async throws {
        let certificates = try await Certificates()
        let server = try await PeerServer.nginx(certificates)
        let refused = try await Program.swifty("--output", "json", server.secureURL)
        let error = try #require(refused.json()["error"] as? [String: Any])
        #expect(refused.status == 7)
        #expect(error["code"] as? String == "certificateInvalid")
        #expect(refused.errors.contains("--ca FILE"))
        let trusted = try await Program.swifty(
            "--ca",
            certificates.path("ca.pem"),
            "--output",
            "json",
            server.secureURL
        )
        #expect(trusted.status == 0)
        #expect(try trusted.json()["verified"] as? Bool == true)
        let blind = try await Program.swifty("--verify", "no", "--output", "json", server.secureURL)
        #expect(blind.status == 0)
        #expect(try blind.json()["verified"] as? Bool == false)
        #expect(try await Program.swifty("--verify", "no", "-m", server.secureURL).output.contains("NOT VERIFIED"))
    }

    @Test("presents its client certificate")
    func identity() async throws {
        let certificates = try await Certificates()
        let server = try await PeerServer.nginx(certificates)
        let ca = ["--ca", certificates.path("ca.pem"), server.secureURL]
        let anonymous = try await Program.run("swifty", ca)
        #expect(anonymous.status == 0)
        #expect(!anonymous.output.contains("CN=client"))
        let own = ["--cert", certificates.path("client.pem"), "--cert-key", certificates.path("client.key")]
        let known = try await Program.run("swifty", own + ca)
        #expect(known.status == 0, "\(known.output)\(known.errors)")
        #expect(known.output.contains("CN=client"), "\(known.output)\(known.errors)")
        let wrongKey = ["--cert", certificates.path("client.pem"), "--cert-key", certificates.path("server.key")]
        let mismatch = try await Program.run("swifty", wrongKey + ca)
        #expect(mismatch.status == 64)
        #expect(mismatch.errors.contains("clientCertificateInvalid"))
    }

    @Test("enforces a pin")
    func pin() async throws {
        let certificates = try await Certificates()
        let server = try await PeerServer.nginx(certificates)
        let arguments = ["--ca", certificates.path("ca.pem"), server.secureURL, "--pin"]
        let right = try await Program.run("swifty", arguments + [certificates.pin("server")])
        #expect(right.status == 0, "\(right.errors)")
        let wrong = try await Program.run("swifty", arguments + [certificates.pin("client")])
        #expect(wrong.status == 7)
        #expect(wrong.errors.contains("certificatePinMismatch"))
        #expect(wrong.output.isEmpty)
    }

    @Test("uses the requested versions")
    func versions() async throws {
        let certificates = try await Certificates()
        let server = try await PeerServer.nginx(certificates)
        let ca = ["--ca", certificates.path("ca.pem")]
        for (version, spoken) in [("1.1", "HTTP/1.1"), ("2", "HTTP/2.0")] {
            let run = try await Program.run("swifty", ca + ["--http", version, server.secureURL])
            #expect(run.output.hasPrefix("TLSv1.3 \(spoken)"), "\(run.output)\(run.errors)")
        }
        let old = try await PeerServer.nginx(certificates, protocols: "TLSv1.2")
        #expect(try await Program.run("swifty", ca + ["--tls-min", "1.2", old.secureURL]).output.hasPrefix("TLSv1.2 "))
        let refused = try await Program.run("swifty", ca + ["--tls-min", "1.3", old.secureURL])
        #expect(refused.status == 7)
        #expect(refused.errors.contains("tlsFailed"))
    }

    @Test("writes the server's certificates, and uses the address of --resolve")
    func certificates() async throws {
        let certificates = try await Certificates()
        let server = try await PeerServer.nginx(certificates)
        let folder = try TemporaryFolder()
        let run = try await Program.swifty(
            "--ca",
            certificates.path("ca.pem"),
            "--resolve",
            "a.test:\(server.port):127.0.0.1",
            "--dump-certs",
            folder.url.appending(path: "new").path,
            "https://a.test:\(server.port)/"
        )
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output.hasPrefix("TLSv1.3"), "\(run.errors)")
        let written = try Data(contentsOf: folder.url.appending(path: "new/a.test_cert_0.der"))
        #expect(written == (try await certificates.der("server.pem")))
    }
}
