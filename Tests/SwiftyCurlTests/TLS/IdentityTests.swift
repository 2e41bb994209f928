// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyCurl
import SwiftyTestServers
import SwiftyTransport
import TestSupport
import Testing

@Suite("Client certificates", .timeLimit(.minutes(15)))
struct IdentityTests {
    /// The files of two clients, and a server that returns the identity of its client.
    private struct Scene: Sendable {
        let factory: CertificateFactory
        let server: NginxServer

        static func make(http2: Bool = true) async throws -> Scene {
            let factory = try await CertificateFactory.run { factory in
                try factory.make("root", extensions: CertificateFactory.authority)
                try factory.make("host", extensions: CertificateFactory.name("host.test"), issuer: "root")
                for client in ["alice", "bob"] {
                    try factory.make(client, extensions: "extendedKeyUsage=clientAuth", issuer: "root")
                }
                return factory
            }
            let ask = "ssl_verify_client optional; ssl_client_certificate root.pem;"
            let server = try await NginxServer.start(files: factory.files()) { port in
                NginxServer.block(
                    port,
                    name: "host.test",
                    certificate: "host",
                    http2: http2,
                    more: ask,
                    answer: "<$ssl_client_s_dn>"
                )
            }
            return Scene(factory: factory, server: server)
        }

        func settings(_ identity: TransportSettings.TLS.Identity?) -> TransportSettings {
            server.settings(
                ["host.test"],
                .with {
                    $0.trust = .file(factory.path("root.pem"))
                    $0.identity = identity
                }
            )
        }

        func transport(_ identity: TransportSettings.TLS.Identity?) -> CurlTransport {
            CurlTransport(configuration: .with { $0.settings = settings(identity) })
        }

        func identity(_ name: String) -> TransportSettings.TLS.Identity {
            .pem(certificateFile: factory.path("\(name).pem"), keyFile: factory.path("\(name).key"))
        }

        func run(_ arguments: @autoclosure @escaping @Sendable () -> [String]) async throws {
            let factory = factory
            try await CertificateFactory.run { _ in try factory.openssl(arguments()) }
        }
    }

    @Test("never mix: each of a thousand requests of three transports uses its own", arguments: [true, false])
    func neverMix(http2: Bool) async throws {
        let scene = try await Scene.make(http2: http2)
        let transports = [
            (scene.transport(scene.identity("alice")), "<CN=alice>"),
            (scene.transport(scene.identity("bob")), "<CN=bob>"), (scene.transport(nil), "<>"),
        ]
        let wrong = try await withThrowingTaskGroup(of: Int.self) { group in
            for worker in 0..<4 {
                group.addTask {
                    var wrong = 0
                    for index in 0..<250 {
                        let (transport, expected) = transports[(worker + index) % 3]
                        var request = try NetworkRequest.to(scene.server.url("host.test"))
                        request.requiresNewConnection = index % 25 == 0
                        if try await transport.load(request).text != expected { wrong += 1 }
                    }
                    return wrong
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(wrong == 0)
        try await until { scene.server.log.count == 1000 }
    }

    @Test("belong to an instance of Swifty, by its settings")
    func instances() async throws {
        let scene = try await Scene.make()
        let instances = [("alice", scene.identity("alice")), ("bob", scene.identity("bob"))].map { name, identity in
            (name, Swifty(transport: scene.settings(identity)))
        }
        for index in 0..<20 {
            let (name, swifty) = instances[index % 2]
            let base = BaseResource(scene.server.url("host.test"), networkInterface: swifty)
            let response = try await base.get("x").load()
            #expect(response.data == Data("<CN=\(name)>".utf8))
        }
    }

    @Test("may be PKCS#12, and PEM with a password")
    func forms() async throws {
        let scene = try await Scene.make()
        let path = scene.factory.path
        try await scene.run([
            "pkcs12", "-export", "-in", path("alice.pem"), "-inkey", path("alice.key"), "-passout", "pass:open", "-out",
            path("alice.p12"),
        ])
        try await scene.run([
            "ec", "-in", path("bob.key"), "-aes256", "-passout", "pass:sesame", "-out", path("bob.enc"),
        ])
        let bob = { (password: String?) in
            TransportSettings.TLS.Identity.pem(
                certificateFile: path("bob.pem"),
                keyFile: path("bob.enc"),
                password: password
            )
        }
        let url = scene.server.url("host.test")
        let alice = TransportSettings.TLS.Identity.pkcs12(file: path("alice.p12"), password: "open")
        #expect(try await scene.transport(alice).get(url).text == "<CN=alice>")
        #expect(try await scene.transport(bob("sesame")).get(url).text == "<CN=bob>")

        let unusable: [TransportSettings.TLS.Identity] = [
            .pkcs12(file: path("alice.p12"), password: "wrong secret"), bob("wrong secret"), bob(nil),
            .pem(certificateFile: path("bob.pem"), keyFile: path("alice.key")),
            .pem(certificateFile: path("bob.cnf"), keyFile: path("bob.key")),
        ]
        for identity in unusable {
            let error = try await scene.transport(identity).failure(of: .to(url))
            #expect(error.code == .clientCertificateInvalid, "\(identity): \(error)")
            #expect(error.stage == .tls)
            #expect(error.sent == .notSent)
            #expect(error.reason.contains(identity.description))
            #expect(!"\(error) \(identity)".contains("secret"))
        }
        // nginx writes its log after the response.
        try await until { scene.server.log.count == 2 }
    }

    @Test("whose files are missing fail before any connection")
    func missing() async throws {
        let scene = try await Scene.make()
        let path = scene.factory.path
        let folder = scene.factory.folder.path
        for (identity, words): (TransportSettings.TLS.Identity, String) in [
            (.pem(certificateFile: path("no.pem"), keyFile: path("alice.key")), "\(path("no.pem"))\" cannot be read: "),
            (.pem(certificateFile: path("alice.pem"), keyFile: path("no.pem")), "there is no such file"),
            (.pkcs12(file: path("no.pem"), password: ""), "\(path("no.pem"))\" cannot be read: there is no such file"),
            (.pkcs12(file: folder, password: ""), "\(folder)\" cannot be read: it is a directory"),
        ] {
            let error = try await scene.transport(identity).failure(of: .to(scene.server.url("host.test")))
            #expect(error.code == .clientCertificateInvalid)
            #expect(error.stage == .building)
            #expect(error.sent == .notSent)
            #expect(error.reason.contains(words), "\(error)")
        }
    }

    @Test("that a server requires and does not get cause a specific error", .timeLimit(.minutes(15)))
    func required() async throws {
        let scene = try await Scene.make()
        let path = scene.factory.path
        let server = try await PeerServer.start(ExternalProgram.path("openssl")) { ports, _ in
            [
                "s_server", "-accept", "127.0.0.1:\(ports[0])", "-Verify", "1", "-verify_return_error", "-CAfile",
                path("root.pem"), "-cert", path("host.pem"), "-key", path("host.key"), "-www",
            ]
        }
        defer { withExtendedLifetime(server) {} }
        let port = server.port
        var settings = scene.settings(nil)
        settings.addresses.overrides = [HostAndPort(host: "host.test", port: port): ["127.0.0.1"]]
        let prepared = settings
        let url = "https://host.test:\(port)/"
        let error = try await CurlTransport(configuration: .with { $0.settings = prepared }).failure(of: .to(url))
        #expect(error.code == .clientCertificateRefused, "\(error)")
        #expect(error.stage == .tls)
        settings.tls.identity = scene.identity("alice")
        let known = settings
        let response = try await CurlTransport(configuration: .with { $0.settings = known }).get(url)
        #expect(response.head.statusCode == 200)
    }

    @Test("do not reveal their passwords")
    func secrets() {
        var settings = TransportSettings()
        settings.tls.identity = .pkcs12(file: "a.p12", password: "sesame")
        var text = "\(settings) \(String(reflecting: settings))"
        dump(settings, to: &text)
        settings.tls.identity = .pem(certificateFile: "a", keyFile: "b", password: "sesame")
        dump(settings, to: &text)
        #expect(text.contains("a.p12"))
        #expect(!text.contains("sesame"))
    }
}
