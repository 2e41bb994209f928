// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyCurl
import SwiftyTransport
import TestSupport
import Testing

/// A kind of certificate, the host of the request, and whether the load must succeed.
private struct Leaf: Sendable {
    let name: String
    let host: String
    let isAccepted: Bool
    var extensions: String
    var issuer: String? = "root"
    var key = CertificateFactory.elliptic
    var options: [String] = []
    /// The certificates that are sent along.
    var chain: [String] = []
    var validity: (from: String, until: String)?

    init(_ name: String, _ host: String, accepted: Bool, _ names: String, _ change: (inout Leaf) -> Void = { _ in }) {
        (self.name, self.host, isAccepted) = (name, host, accepted)
        extensions = names.isEmpty ? "basicConstraints=CA:FALSE" : "subjectAltName=\(names)"
        change(&self)
    }

    func make(with factory: CertificateFactory) throws {
        if let validity, let issuer {
            let (start, end) = validity
            try factory.make(name, extensions: extensions, issuer: issuer, from: start, until: end)
        } else {
            try factory.make(name, extensions: extensions, issuer: issuer, key: key, options: options)
        }
        let files = ([name] + chain).map { "\($0).pem" }
        let content = try files.reduce(into: Data()) { $0 += try factory.data($1) }
        try content.write(to: factory.folder.url.appending(path: "\(name).pem"))
    }
}

@Suite("Certificates of many kinds", .timeLimit(.minutes(15)))
struct CertificateTableTests {
    private static let leaves: [Leaf] = [
        // Names.
        Leaf("plain", "plain.test", accepted: true, "DNS:plain.test"),
        Leaf("several", "several.test", accepted: true, "DNS:other.test,DNS:several.test"),
        Leaf("capital", "capital.test", accepted: true, "DNS:CAPITAL.Test"),
        Leaf("wildcard", "a.wildcard.test", accepted: true, "DNS:*.wildcard.test"),
        Leaf("address", "127.0.0.2", accepted: true, "IP:127.0.0.2"),
        Leaf("wrong-host", "wrong-host.test", accepted: false, "DNS:other.test"),
        Leaf("suffix", "evil-suffix.test", accepted: false, "DNS:suffix.test"),
        Leaf("name-only.test", "name-only.test", accepted: true, ""),
        Leaf("name-beside.test", "name-beside.test", accepted: false, "DNS:other.test"),
        Leaf("star", "star.test", accepted: false, "DNS:*"),
        Leaf("top-star", "top-star.test", accepted: false, "DNS:*.test"),
        Leaf("deep", "a.b.deep.test", accepted: false, "DNS:*.deep.test"),
        Leaf("bare", "bare.test", accepted: false, "DNS:*.bare.test"),
        Leaf("inner-star", "a.b.inner.test", accepted: false, "DNS:a.*.inner.test"),
        Leaf("part-star", "foo.part.test", accepted: false, "DNS:f*.part.test"),
        Leaf("address-as-name", "127.0.0.3", accepted: false, "DNS:127.0.0.3"),
        Leaf("address-star", "127.0.0.4", accepted: false, "DNS:*.0.0.4"),
        Leaf("other-address", "127.0.0.5", accepted: false, "IP:127.0.0.6"),
        // Time.
        Leaf("expired", "expired.test", accepted: false, "DNS:expired.test") {
            $0.validity = ("20200101000000Z", "20210101000000Z")
        },
        Leaf("early", "early.test", accepted: false, "DNS:early.test") {
            $0.validity = ("20900101000000Z", "20910101000000Z")
        },
        // Strength.
        Leaf("sha1", "sha1.test", accepted: false, "DNS:sha1.test") { $0.options = ["-sha1"] },
        Leaf("short-key", "short-key.test", accepted: false, "DNS:short-key.test") {
            $0.key = ["-newkey", "rsa:1024"]
        },
        Leaf("rsa", "rsa.test", accepted: true, "DNS:rsa.test") { $0.key = ["-newkey", "rsa:2048"] },
        // Purpose.
        Leaf("server-use", "server-use.test", accepted: true, "DNS:server-use.test") {
            $0.extensions += "\nextendedKeyUsage=serverAuth"
        },
        Leaf("client-use", "client-use.test", accepted: false, "DNS:client-use.test") {
            $0.extensions += "\nextendedKeyUsage=clientAuth"
        },
        // Chains.
        Leaf("self-signed", "self-signed.test", accepted: false, "DNS:self-signed.test") { $0.issuer = nil },
        Leaf("stranger", "stranger.test", accepted: false, "DNS:stranger.test") { $0.issuer = "stranger-root" },
        Leaf("whole-stranger", "whole-stranger.test", accepted: false, "DNS:whole-stranger.test") {
            ($0.issuer, $0.chain) = ("stranger-root", ["stranger-root"])
        },
        Leaf("chained", "chained.test", accepted: true, "DNS:chained.test") {
            ($0.issuer, $0.chain) = ("middle", ["middle"])
        },
        Leaf("with-root", "with-root.test", accepted: true, "DNS:with-root.test") {
            ($0.issuer, $0.chain) = ("middle", ["middle", "root"])
        },
        Leaf("missing-middle", "missing-middle.test", accepted: false, "DNS:missing-middle.test") {
            $0.issuer = "middle"
        },
        Leaf("by-leaf", "by-leaf.test", accepted: false, "DNS:by-leaf.test") {
            ($0.issuer, $0.chain) = ("not-authority", ["not-authority"])
        },
        Leaf("too-deep", "too-deep.test", accepted: false, "DNS:too-deep.test") {
            ($0.issuer, $0.chain) = ("below-limited", ["below-limited", "limited"])
        },
        Leaf("old-middle", "old-middle.test", accepted: false, "DNS:old-middle.test") {
            ($0.issuer, $0.chain) = ("expired-middle", ["expired-middle"])
        },
        Leaf("permitted", "www.permitted.test", accepted: true, "DNS:www.permitted.test") {
            ($0.issuer, $0.chain) = ("constrained", ["constrained"])
        },
        Leaf("violating", "violating.test", accepted: false, "DNS:violating.test") {
            ($0.issuer, $0.chain) = ("constrained", ["constrained"])
        },
    ]

    private static func makeAll(with factory: CertificateFactory) throws {
        let authority = CertificateFactory.authority
        try factory.make("root", extensions: authority)
        try factory.make("stranger-root", extensions: authority)
        try factory.make("middle", extensions: authority, issuer: "root")
        try factory.make("not-authority", extensions: "basicConstraints=CA:FALSE", issuer: "root")
        let limited = authority.replacing("CA:TRUE", with: "CA:TRUE,pathlen:0")
        try factory.make("limited", extensions: limited, issuer: "root")
        try factory.make("below-limited", extensions: authority, issuer: "limited")
        let constraint = "\nnameConstraints=critical,permitted;DNS:permitted.test"
        try factory.make("constrained", extensions: authority + constraint, issuer: "root")
        let (start, end) = ("20200101000000Z", "20210101000000Z")
        try factory.make("expired-middle", extensions: authority, issuer: "root", from: start, until: end)
        for leaf in leaves { try leaf.make(with: factory) }
    }

    private static func server(_ leaf: Leaf, _ port: Int) -> String {
        let isAddress = leaf.host.first?.isNumber == true
        // So that nginx itself accepts the weak ones.
        let weak = "ssl_ciphers ALL:@SECLEVEL=0;"
        let address = isAddress ? leaf.host : "127.0.0.1"
        return NginxServer.block(port, name: leaf.host, certificate: leaf.name, address: address, more: weak)
    }

    @Test("are accepted and rejected as the table requires")
    func table() async throws {
        let (files, authority) = try await CertificateFactory.run { factory in
            try Self.makeAll(with: factory)
            return (try factory.files(), try factory.data("root.pem"))
        }
        let server = try await NginxServer.start(files: files) { port in
            Self.leaves.map { Self.server($0, port) }.joined()
        }
        let names = Self.leaves.map(\.host).filter { $0.first?.isNumber == false }
        let transport = CurlTransport(
            configuration: .with { $0.settings = server.settings(names, .with { $0.trust = .pem(authority) }) }
        )
        for leaf in Self.leaves {
            do {
                let response = try await transport.get(server.url(leaf.host))
                #expect(leaf.isAccepted, "\(leaf.name) was accepted")
                #expect(response.text == "ok")
                #expect(response.metrics.isServerVerified == true)
            } catch let error as SwiftyError {
                #expect(!leaf.isAccepted, "\(leaf.name) was refused: \(error)")
                #expect(error.code == .certificateInvalid, "\(leaf.name): \(error)")
                #expect(error.stage == .tls)
                #expect(error.sent == .notSent)
                #expect(error.reason.contains(leaf.host))
            }
        }
        #expect(Self.leaves.count >= 25)
        try await until { server.log.count == Self.leaves.filter(\.isAccepted).count }
    }
}
