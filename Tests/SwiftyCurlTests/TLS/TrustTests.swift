// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyCurl
import SwiftyTransport
import TestSupport
import Testing

@Suite("Trust and versions", .timeLimit(.minutes(15)))
struct TrustTests {
    private func load(_ server: NginxServer, _ trust: TransportSettings.TLS.Trust) async throws -> TransportResponse {
        let settings = server.settings(["localhost"], .with { $0.trust = trust })
        return try await CurlTransport(configuration: .with { $0.settings = settings }).get(server.url)
    }

    @Test("a custom authority in a file, a folder or a string replaces all others")
    func forms() async throws {
        let server = try await NginxServer.start()
        let factory = try await CertificateFactory.run { factory in
            try factory.make("stranger", extensions: CertificateFactory.authority)
            let folders = ["good", "bad"].map { factory.folder.url.appending(path: $0) }
            let files = [server.certificateAuthority, factory.path("stranger.pem")]
            for (folder, file) in zip(folders, files) {
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                try FileManager.default.copyItem(atPath: file, toPath: folder.appending(path: "ca.pem").path)
                try factory.openssl(["rehash", folder.path])
            }
            return factory
        }
        let text = try Data(contentsOf: URL(filePath: server.certificateAuthority))
        for trust: TransportSettings.TLS.Trust in [
            .file(server.certificateAuthority), .folder(factory.path("good")), .pem(text),
            .pem(text + (try factory.data("stranger.pem"))),
        ] {
            #expect(try await load(server, trust).head.statusCode == 200)
        }
        for trust: TransportSettings.TLS.Trust in [
            .file(factory.path("stranger.pem")), .folder(factory.path("bad")), .pem(try factory.data("stranger.pem")),
        ] {
            let error = await #expect(throws: SwiftyError.self) { try await load(server, trust) }
            #expect(error?.code == .certificateInvalid, "\(trust)")
        }
    }

    @Test("a missing, empty or unsuitable file causes a clear error, and can be corrected")
    func mistakes() async throws {
        let server = try await NginxServer.start()
        let factory = try CertificateFactory()
        let armour = "-----BEGIN CERTIFICATE-----\nnonsense\n-----END CERTIFICATE-----\n"
        for (name, content) in [("empty", ""), ("garbage", "hello"), ("armour", armour)] {
            try Data(content.utf8).write(to: factory.folder.url.appending(path: name))
        }
        let bad: [(TransportSettings.TLS.Trust, String)] = ["missing", "empty", "garbage", "armour", "."].map {
            (.file(factory.path($0)), factory.path($0))
        }
        let other: [(TransportSettings.TLS.Trust, String)] = [
            (.folder(factory.path("missing")), factory.path("missing")),
            (.folder(factory.folder.path), factory.folder.path), (.pem(Data()), "text"),
            (.pem(Data("hello".utf8)), "text"), (.pem(Data(armour.utf8)), ""),
        ]
        for (trust, part) in bad + other {
            let error = await #expect(throws: SwiftyError.self) { try await load(server, trust) }
            #expect(error?.code == .invalidSettings, "\(trust): \(String(describing: error))")
            #expect(error?.stage == .building || error?.stage == .tls)
            #expect(error?.sent == .notSent)
            #expect(part.isEmpty || error?.reason.contains(part) == true, "\(String(describing: error))")
        }
        let causes: [(TransportSettings.TLS.Trust, String)] = [
            (.file(factory.path("missing")), "cannot be read: there is no such file"),
            (.file(factory.folder.path), "cannot be read: it is a directory"),
            (.file(factory.path("empty") + "/x"), "cannot be read: a part of its path is not a directory"),
            (.folder(factory.path("missing")), "cannot be read: there is no such file"),
            (.folder(factory.path("empty")), "cannot be read: it is not a directory"),
            (.folder(factory.folder.path), "holds no certificates"),
        ]
        for (trust, words) in causes {
            let error = await #expect(throws: SwiftyError.self) { try await load(server, trust) }
            #expect(error?.reason.contains(words) == true, "\(String(describing: error))")
        }
        let path = factory.path("missing")
        let settings = server.settings(["localhost"], .with { $0.trust = .file(path) })
        let transport = CurlTransport(configuration: .with { $0.settings = settings })
        #expect(try await transport.failure(of: .to(server.url)).code == .invalidSettings)
        try FileManager.default.copyItem(atPath: server.certificateAuthority, toPath: path)
        #expect(try await transport.get(server.url).head.statusCode == 200)
    }

    /// A server that speaks only these versions, which a more tolerant client can connect to.
    private func weakServer(_ protocols: String, _ ciphers: String) async throws -> (NginxServer, Data) {
        let (files, root) = try await CertificateFactory.run { factory in
            try factory.make("root", extensions: CertificateFactory.authority)
            let (names, rsa) = (CertificateFactory.name("weak.test"), ["-newkey", "rsa:2048"])
            try factory.make("weak", extensions: names, issuer: "root", key: rsa)
            return (try factory.files(), try factory.data("root.pem"))
        }
        let server = try await NginxServer.start(files: files) { port in
            let more = "ssl_protocols \(protocols); ssl_ciphers \(ciphers):@SECLEVEL=0;"
            return NginxServer.block(port, name: "weak.test", certificate: "weak", more: more)
        }
        return (server, root)
    }

    @Test(
        "a server with only old versions or weak ciphers is rejected",
        arguments: [("TLSv1", "ALL", "1.0"), ("TLSv1.1", "ALL", "1.1"), ("TLSv1.2", "NULL-SHA256", "1.2")]
    )
    func weakness(protocols: String, ciphers: String, version: String) async throws {
        let (server, root) = try await weakServer(protocols, ciphers)
        let curl = try await Program.run(
            ExternalProgram.path("curl"),
            [
                "-k", "--tlsv1.0", "--tls-max", version, "--ciphers", "ALL:eNULL:@SECLEVEL=0", "--resolve",
                "weak.test:\(server.port):127.0.0.1", server.url("weak.test"),
            ]
        )
        #expect(curl.status == 0, "\(curl.errors)")
        let settings = server.settings(["weak.test"], .with { $0.trust = .pem(root) })
        let transport = CurlTransport(configuration: .with { $0.settings = settings })
        let error = try await transport.failure(of: .to(server.url("weak.test")))
        #expect(error.code == .tlsFailed, "\(error)")
        #expect(error.stage == .tls)
        #expect(error.sent == .notSent)
        try await until { server.log.count == 1 }
    }

    @Test("the minimum version can be raised")
    func minimumVersion() async throws {
        let (server, root) = try await weakServer("TLSv1.2", "DEFAULT")
        for (version, isEnough) in [(TransportSettings.TLS.Version.v1_2, true), (.v1_3, false)] {
            let tls = TransportSettings.TLS.with {
                $0.trust = .pem(root)
                $0.minimumVersion = version
            }
            let settings = server.settings(["weak.test"], tls)
            let transport = CurlTransport(configuration: .with { $0.settings = settings })
            if isEnough {
                #expect(try await transport.get(server.url("weak.test")).head.statusCode == 200)
            } else {
                #expect(try await transport.failure(of: .to(server.url("weak.test"))).code == .tlsFailed)
            }
        }
    }

    @Test("a resumed session sends nothing before the end of the handshake")
    func earlyData() async throws {
        let (files, root) = try await CertificateFactory.run { factory in
            try factory.make("root", extensions: CertificateFactory.authority)
            try factory.make("early", extensions: CertificateFactory.name("early.test"), issuer: "root")
            return (try factory.files(), try factory.data("root.pem"))
        }
        let server = try await NginxServer.start(files: files) { port in
            let more = "ssl_protocols TLSv1.3; ssl_early_data on;"
            return NginxServer.block(
                port,
                name: "early.test",
                certificate: "early",
                more: more,
                answer: "$ssl_session_reused$ssl_early_data"
            )
        }
        let settings = server.settings(["early.test"], .with { $0.trust = .pem(root) })
        let transport = CurlTransport(configuration: .with { $0.settings = settings })
        var answers: [String] = []
        for _ in 0..<5 {
            var request = try NetworkRequest.to(server.url("early.test"))
            request.requiresNewConnection = true
            answers.append(try await transport.load(request).text)
        }
        #expect(answers == [".", "r", "r", "r", "r"])
    }
}
