// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyTestServers
import SwiftyTransport

// Verification of servers, pins, and certificates of clients, with a separate authority for each scenario.

extension Conformance {
    /// TLS, with servers whose authority the transport is told to trust, or not.
    static let tls = verification + choices + clients

    private static func scenario(
        _ name: String,
        _ sentence: String,
        _ needs: TransportCapabilities,
        _ body: @escaping @Sendable (ConformanceRun, TestAuthority) async throws -> Void
    ) -> ConformanceScenario {
        ConformanceScenario("tls/\(name)", sentence, needs: needs.union([.network, .tls])) { run in
            try await body(run, try TestAuthority())
        }
    }

    private static let answer: [ScriptedServer.Step] = [.readRequest, .respond(content: "secure"), .stall]

    /// Checks that a request fails, and reaches no server.
    private static func expectRefusal(
        _ expected: ExpectedFailure,
        by server: ScriptedServer,
        over transport: any Transport
    ) async throws {
        let request = try NetworkRequest.to(server.url, .post, content: "secret")
        try expected.check(try await transport.failure(of: request))
        try expect("the number of requests that the server saw", server.log.count, is: 0)
    }

    private static let verification = [
        scenario("untrusted", "A server of an unknown authority gets no request.", []) { run, authority in
            let server = try run.server(tls: authority.server(), answer)
            let failure = ExpectedFailure(.certificateInvalid, [.tls], .notSent)
            try await expectRefusal(failure, by: server, over: run.transport())
        },
        scenario("authority", "A server of the given authority is trusted.", .customAuthorities) { run, authority in
            let server = try run.server(tls: authority.server(), answer)
            let transport = run.transport { $0.tls.trust = .pem(authority.pem) }
            try expect("the content", try await transport.text(of: server.url), is: "secure")
        },
        invalid("wrong-name", "A certificate for another host is refused.", names: ["other.test"]),
        invalid("expired", "An expired certificate is refused.", from: -7_200, to: -3_600),
        invalid("not-yet-valid", "A certificate that is not valid yet is refused.", from: 3_600, to: 7_200),
        scenario("plain-server", "A server without TLS gets no request.", []) { run, _ in
            let server = try run.server { connection in
                // A client that falls back to HTTP would do so here, or over another connection. The rest of the
                // handshake is also read, and its random bytes can contain the empty line that ends a head.
                connection == 0
                    ? [.skip(1), .send("HTTP/1.1 400 Bad\r\n\r\n"), .readHead, .readHead, .close]
                    : [.readRequest, .respond()]
            }
            let url = "https://127.0.0.1:\(server.port)/"
            let error = try await run.transport().failure(of: .to(url, .post, content: "secret"))
            try ExpectedFailure(.tlsFailed).check(error)
            try await eventually("the connections are closed") { server.openConnectionCount == 0 }
            let heads = server.log.requests.map(\.head)
            let fallbacks = heads.filter { $0.contains(Data(" HTTP/1.".utf8)) }
            try expect("the number of requests that the server saw", fallbacks.count, is: 0)
        },
        scenario("old-version", "A server below TLS 1.2 gets no request.", []) { run, authority in
            var settings = try authority.server()
            settings.versions = .v1_1 ... .v1_1
            let server = try run.server(tls: settings, answer)
            try await expectRefusal(ExpectedFailure(.tlsFailed, [.tls], .notSent), by: server, over: run.transport())
        },
        scenario("alert", "A handshake that the server refuses is a failure of TLS.", []) { run, authority in
            var settings = try authority.server()
            settings.handshakeFault = { _ in .alert }
            let server = try run.server(tls: settings, answer)
            try await expectRefusal(ExpectedFailure(.tlsFailed, [.tls], .notSent), by: server, over: run.transport())
        },
    ]

    /// A certificate of the trusted authority that is not valid for the host, or at this time.
    private static func invalid(
        _ name: String,
        _ sentence: String,
        names: [String] = ["127.0.0.1"],
        from start: Double = -3_600,
        to end: Double = 3_600
    ) -> ConformanceScenario {
        scenario(name, sentence, .customAuthorities) { run, authority in
            let validity = Date(timeIntervalSinceNow: start)..<Date(timeIntervalSinceNow: end)
            let server = try run.server(tls: authority.server(names: names, validity: validity), answer)
            let transport = run.transport { $0.tls.trust = .pem(authority.pem) }
            let failure = ExpectedFailure(.certificateInvalid, [.tls], .notSent)
            try await expectRefusal(failure, by: server, over: transport)
        }
    }

    private static let choices = [
        scenario("pins", "A server that has one of its pins is trusted.", [.pins, .customAuthorities]) {
            run,
            authority in
            let settings = try authority.server()
            let pins = [
                TransportSettings.TLS.Pins.publicKeys([settings.publicKeyPin]),
                .certificates([settings.certificatePin]),
            ]
            for pins in pins {
                let server = try run.server(tls: settings, answer)
                let transport = run.transport {
                    $0.tls.trust = .pem(authority.pem)
                    $0.tls.pins = ["127.0.0.1": pins]
                }
                try expect("the content", try await transport.text(of: server.url), is: "secure")
            }
        },
        scenario("pin-mismatch", "A server without its pin gets no request.", [.pins, .customAuthorities]) {
            run,
            authority in
            let (server, other) = (try run.server(tls: authority.server(), answer), try authority.server())
            let transport = run.transport {
                $0.tls.trust = .pem(authority.pem)
                $0.tls.pins = ["127.0.0.1": .publicKeys([other.publicKeyPin])]
            }
            let failure = ExpectedFailure(.certificatePinMismatch, [.tls], .notSent)
            try await expectRefusal(failure, by: server, over: transport)
        },
        scenario(
            "version",
            "A server below the lowest version gets no request.",
            [.minimumTLSVersion, .customAuthorities]
        ) { run, authority in
            var settings = try authority.server()
            settings.versions = .v1_2 ... .v1_2
            let server = try run.server(tls: settings, answer)
            let transport = run.transport {
                $0.tls.trust = .pem(authority.pem)
                $0.tls.minimumVersion = .v1_3
            }
            try await expectRefusal(ExpectedFailure(.tlsFailed, [.tls], .notSent), by: server, over: transport)
        },
        scenario(
            "unverified-host",
            "An exempted host is not verified, and the metrics say so.",
            [.unverifiedHosts, .metrics]
        ) { run, authority in
            let server = try run.server(tls: authority.server(), answer)
            let transport = run.transport { $0.tls.unverifiedHosts = ["127.0.0.1"] }
            let response = try await transport.load(.to(server.url))
            try expect("the content", response.text, is: "secure")
            try expect("the verification", response.metrics.isServerVerified, is: false)
        },
        scenario(
            "unverified-name",
            "A host whose name is not checked may have a certificate for another one, of a trusted authority alone.",
            [.unverifiedNames, .customAuthorities, .metrics]
        ) { run, authority in
            func server() throws -> ScriptedServer {
                try run.server(tls: authority.server(names: ["other.test"]), answer)
            }
            func transport(_ trusted: TestAuthority, _ unverified: String) -> any Transport {
                run.transport {
                    $0.tls.trust = .pem(trusted.pem)
                    $0.tls.unverifiedNames = [unverified]
                }
            }
            let response = try await transport(authority, "127.0.0.1").load(.to(server().url))
            try expect("the content", response.text, is: "secure")
            try expect("the verification", response.metrics.isServerVerified, is: false)
            let failure = ExpectedFailure(.certificateInvalid, [.tls], .notSent)
            try await expectRefusal(failure, by: server(), over: transport(authority, "localhost"))
            try await expectRefusal(failure, by: server(), over: transport(TestAuthority(), "127.0.0.1"))
        },
        scenario("report", "The certificates of the server are reported.", [.certificateReports, .customAuthorities]) {
            run,
            authority in
            let settings = try authority.server()
            let server = try run.server(tls: settings, answer)
            let transport = run.transport {
                $0.tls.trust = .pem(authority.pem)
                $0.tls.reportsCertificates = true
            }
            let certificates = try await transport.load(.to(server.url)).metrics.certificates
            try expect("the pin", certificates.first?.publicKeyPin, is: settings.publicKeyPin)
        },
    ]

    private static let clients = [
        scenario(
            "client-certificate",
            "A server that asks for it gets the client's certificate.",
            [.clientCertificates, .customAuthorities]
        ) { run, authority in
            var settings = try authority.server()
            settings.clientAuthority = authority
            let server = try run.server(tls: settings, answer)
            let identity = try authority.client()
            let files = try ["pem", "key"].map { suffix in
                let name = "conformance-\(UInt64.random(in: .min ... .max)).\(suffix)"
                let file = FileManager.default.temporaryDirectory.appending(path: name)
                try (suffix == "pem" ? identity.certificate : identity.key).write(to: file)
                return file
            }
            defer { for file in files { try? FileManager.default.removeItem(at: file) } }
            let transport = run.transport {
                $0.tls.trust = .pem(authority.pem)
                $0.tls.identity = .pem(certificateFile: files[0].path, keyFile: files[1].path)
            }
            try expect("the content", try await transport.text(of: server.url), is: "secure")
        },
        scenario(
            "client-certificate-missing",
            "A server that requires a certificate refuses a client without one.",
            [.clientCertificates, .customAuthorities]
        ) { run, authority in
            var settings = try authority.server()
            settings.clientAuthority = authority
            let server = try run.server(tls: settings, answer)
            let transport = run.transport { $0.tls.trust = .pem(authority.pem) }
            try ExpectedFailure(.clientCertificateRefused).check(try await transport.failure(of: .to(server.url)))
            try expect("the number of requests that the server saw", server.log.count, is: 0)
        },
    ]
}
