// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyCurl
import SwiftyTransport
import TestSupport
import Testing

@Suite("Pins", .timeLimit(.minutes(15)))
struct PinTests {
    /// Two hosts with certificates of one authority, and one with a certificate of another trusted authority, which
    /// sends the pinned certificate along (CVE-2016-2402).
    private struct Scene: Sendable {
        let server: NginxServer
        let trust: Data
        let keys: [String: String]
        let certificates: [String: String]

        static func make(http2: Bool = true, more: String = "") async throws -> Scene {
            let names = ["one", "two", "forged"]
            let (files, trust, keys, certificates) = try await CertificateFactory.run { factory in
                for root in ["root", "other-root"] { try factory.make(root, extensions: CertificateFactory.authority) }
                for (name, host, root) in [
                    ("one", "one.test", "root"), ("two", "two.test", "root"), ("forged", "one.test", "other-root"),
                ] {
                    try factory.make(name, extensions: CertificateFactory.name(host), issuer: root)
                }
                let keys = try names.map { ($0, try factory.publicKeyPin($0)) }
                let certificates = try names.map { ($0, try factory.certificatePin($0)) }
                let forged = try factory.data("forged.pem", "one.pem", "root.pem")
                try forged.write(to: factory.folder.url.appending(path: "forged.pem"))
                return (
                    try factory.files(), try factory.data("root.pem", "other-root.pem"),
                    Dictionary(uniqueKeysWithValues: keys), Dictionary(uniqueKeysWithValues: certificates)
                )
            }
            let server = try await NginxServer.start(files: files) { port in
                NginxServer.block(port, name: "one.test", certificate: "one", http2: http2, more: more)
                    + NginxServer.block(port, name: "two.test", certificate: "two", http2: http2)
                    + NginxServer.block(
                        port,
                        name: "one.test",
                        certificate: "forged",
                        address: "127.0.0.2",
                        http2: http2
                    )
            }
            return Scene(server: server, trust: trust, keys: keys, certificates: certificates)
        }

        func transport(
            _ pins: [String: TransportSettings.TLS.Pins],
            _ change: (inout TransportSettings) -> Void = { _ in }
        )
            -> CurlTransport
        {
            var settings = server.settings(["one.test", "two.test"], .with { $0.trust = .pem(trust) })
            settings.tls.pins = pins
            change(&settings)
            return CurlTransport(configuration: .with { $0.settings = settings })
        }

        /// The two ways to pin these servers, each with another pin that no server has.
        func pins(_ names: String...) -> [TransportSettings.TLS.Pins] {
            let backup = TransportSettings.TLS.Pins.pin(of: Array("backup".utf8))
            return [
                .publicKeys([backup] + names.compactMap { keys[$0] }),
                .certificates([backup] + names.compactMap { certificates[$0] }),
            ]
        }
    }

    @Test("accept the pinned server, on new, reused and resumed connections", arguments: [true, false])
    func match(http2: Bool) async throws {
        let scene = try await Scene.make(http2: http2)
        for pins in scene.pins("one") {
            let transport = scene.transport(["ONE.test": pins])
            for isNew in [true, false, false, true, true] {
                var request = try NetworkRequest.to(scene.server.url("one.test"))
                request.requiresNewConnection = isNew
                let metrics = try await transport.load(request).metrics
                #expect(metrics.isConnectionReused == !isNew)
                #expect(metrics.certificates.isEmpty)
            }
            #expect(try await transport.get(scene.server.url("two.test")).head.statusCode == 200)
        }
        try await until { scene.server.log.count == 12 }
        #expect(scene.server.log.contains { $0.hasSuffix(" r") })
    }

    @Test("reject another server before the request is sent, repeatedly and simultaneously", arguments: [true, false])
    func mismatch(http2: Bool) async throws {
        let scene = try await Scene.make(http2: http2)
        for (kind, pins) in zip([scene.keys, scene.certificates], scene.pins("two")) {
            let transport = scene.transport(["one.test": pins])
            let errors = try await withThrowingTaskGroup(of: SwiftyError.self) { group in
                for _ in 0..<30 {
                    group.addTask {
                        try await transport.failure(
                            of: .to(scene.server.url("one.test"), method: .post, content: Data("secret".utf8))
                        )
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            let last = try await transport.failure(of: .to(scene.server.url("one.test")))
            for error in errors + [last] {
                #expect(error.code == .certificatePinMismatch, "\(error)")
                #expect(error.stage == .tls)
                #expect(error.sent == .notSent)
                #expect(try error.reason.contains(#require(kind["one"])))
                #expect(try error.reason.contains(#require(kind["two"])))
                #expect(error.certificates.first?.subject == "CN = one")
            }
        }
        _ = try await scene.transport([:]).get(scene.server.url("two.test"))
        try await until { !scene.server.log.isEmpty }
        #expect(scene.server.log.count == 1)
    }

    @Test("apply to the server's own certificate only, whatever it sends along")
    func appendedCertificate() async throws {
        let scene = try await Scene.make()
        for pins in scene.pins("one") {
            let lead = { (settings: inout TransportSettings) in
                settings.addresses.overrides = [HostAndPort(host: "one.test", port: scene.server.port): ["127.0.0.2"]]
            }
            let unpinned = scene.transport([:], lead)
            #expect(try await unpinned.get(scene.server.url("one.test")).head.statusCode == 200)
            let error = try await scene.transport(["one.test": pins], lead).failure(
                of: .to(scene.server.url("one.test"))
            )
            #expect(error.code == .certificatePinMismatch)
            #expect(error.certificates.count == 3)
        }
        try await until { scene.server.log.count == 2 }
    }

    @Test("of one host do not apply to another, and a trailing dot does not evade them")
    func perHost() async throws {
        let scene = try await Scene.make()
        for (one, two) in zip(scene.pins("one"), scene.pins("two")) {
            let right = scene.transport(["one.test": one, "two.test": two])
            let wrong = scene.transport(["one.test.": two, "two.test": one]) {
                $0.addresses.overrides[HostAndPort(host: "one.test.", port: scene.server.port)] = ["127.0.0.1"]
            }
            for host in ["one.test", "two.test"] {
                #expect(try await right.get(scene.server.url(host)).head.statusCode == 200)
            }
            for host in ["one.test", "two.test", "ONE.test", "one.test."] {
                let error = try await wrong.failure(of: .to(scene.server.url(host)))
                #expect(error.code == .certificatePinMismatch, "\(host): \(error)")
            }
        }
    }

    @Test("of an address apply to all its spellings, as does an exemption from verification")
    func addresses() async throws {
        let scene = try await Scene.make()
        let spellings = ["127.0.0.1", "127.0.0.1.", "[::ffff:127.0.0.1]", "[::FFFF:7f00:1]"]
        for (one, two) in zip(scene.pins("one"), scene.pins("two")) {
            for rule in spellings + ["::ffff:127.0.0.1"] {
                let (right, wrong) = (
                    scene.transport([rule: one], unverified), scene.transport([rule: two], unverified)
                )
                for host in spellings {
                    let url = "https://\(host):\(scene.server.port)/"
                    #expect(try await right.get(url).metrics.isServerVerified == false)
                    let error = try await wrong.failure(of: .to(url))
                    #expect(error.code == .certificatePinMismatch, "\(rule), \(host): \(error)")
                }
            }
        }
        // The certificate is another host's.
        func unverified(_ settings: inout TransportSettings) { settings.tls.unverifiedHosts = ["::FFFF:127.0.0.1"] }
    }

    @Test("apply to unverified hosts, and do not replace verification")
    func withVerification() async throws {
        let scene = try await Scene.make()
        for (one, two) in zip(scene.pins("one"), scene.pins("two")) {
            let untrusting = scene.transport(["one.test": one]) { $0.tls.trust = .system }
            #expect(
                try await untrusting.failure(of: .to(scene.server.url("one.test"))).code == .certificateInvalid
            )
            let unverified = scene.transport(["one.test": one, "two.test": one]) {
                $0.tls.trust = .system
                $0.tls.unverifiedHosts = ["one.test", "two.test"]
            }
            #expect(try await unverified.get(scene.server.url("one.test")).metrics.isServerVerified == false)
            let error = try await unverified.failure(of: .to(scene.server.url("two.test")))
            #expect(error.code == .certificatePinMismatch)
            _ = two
        }
    }
}
