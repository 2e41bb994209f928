// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import Swifty
import Testing

@testable import SwiftyCommand

@Suite("Options", .timeLimit(.minutes(15)))
struct OptionTests {
    private func settings(_ arguments: [String]) throws -> TransportSettings {
        try RequestOptions.parse(arguments).transportSettings(host: "a.test")
    }

    @Test("of TLS become settings, bound to the host if they weaken or narrow trust")
    func tls() throws {
        let pin = "sha256//\(Data(repeating: 7, count: 32).base64EncodedString())"
        let tls = try settings([
            "--ca", "ca.pem", "--cert", "c.pem", "--cert-key", "c.key", "--verify", "no", "--pin", pin, "--tls-min",
            "1.3",
        ]).tls
        #expect(tls.trust == .file("ca.pem"))
        #expect(tls.minimumVersion == .v1_3)
        #expect(tls.unverifiedHosts == ["a.test"])
        #expect(try settings(["--verify", "chain"]).tls.unverifiedNames == ["a.test"])
        #expect(tls.identity == .pem(certificateFile: "c.pem", keyFile: "c.key"))
        #expect(tls.pins == ["a.test": .publicKeys([pin])])
        #expect(try settings([]) == TransportSettings())
    }

    @Test("of the route become settings")
    func route() throws {
        let made = try settings([
            "--proxy", "socks5h://u%40:p%3Aw@[::1]:9", "--resolve", "A.test:443:127.0.0.1,[::1]", "--unix-socket", "/s",
            "--interface", "lo", "-4", "--http", "2", "--lenient", "--max-body", "2K",
        ])
        let proxy = TransportSettings.Proxy(
            .socks5,
            at: HostAndPort(host: "[::1]", port: 9),
            user: "u@",
            password: "p:w"
        )
        #expect(made.proxy == .proxy(proxy))
        #expect(made.addresses.overrides == [HostAndPort(host: "a.test", port: 443): ["127.0.0.1", "::1"]])
        #expect(made.addresses.unixSocketPath == "/s")
        #expect(made.addresses.localInterface == "lo")
        #expect(made.addresses.family == .ipv4)
        #expect(try settings(["--deny-private"]).addresses.deniesPrivateNetworks)
        #expect(made.connections.version == .http2)
        #expect(made.responses.strictness == .lenient)
        #expect(made.responses.contentLimit == 2048)
        #expect(try settings(["--proxy-env"]).proxy == .fromEnvironment)
        #expect(
            try settings(["--proxy", "p.test"]).proxy
                == .proxy(TransportSettings.Proxy(.http, at: HostAndPort(host: "p.test", port: 80)))
        )
    }

    @Test("of time limits and retries go into the configuration")
    func limits() throws {
        let made = try RequestOptions.parse(
            [
                "--timeout", "1.5", "--connect-timeout", "2", "--idle-timeout", "3", "--retry", "2", "--retry-all",
                "--rate", "0.5",
            ]
        ).configuration()
        #expect(made.timeouts == NetworkRequest.Timeouts(total: .seconds(1.5), connect: .seconds(2), idle: .seconds(3)))
        #expect(made.retry.maximumAttempts == 3)
        #expect(made.retry.statuses.contains(418))
        #expect(made.admission.rateLimit == AdmissionPolicy.RateLimit(requests: 1, per: .seconds(2), burst: 1))
        #expect(try RequestOptions.parse(["--no-decode"]).configuration().contentDecoding == .off)
    }

    @Test(
        "with an invalid value are rejected",
        arguments: [
            ["--timeout", "0"], ["--timeout", "-1"], ["--timeout", "x"], ["--retry", "-1"], ["--retry-all"],
            ["--pin", "sha256//x"], ["--tls-min", "1.1"], ["--proxy", "gopher://a"], ["--proxy", "http://"],
            ["--resolve", "a.test:443"], ["--resolve", "a.test:x:1.2.3.4"], ["-4", "-6"], ["--max-body", "0"],
            ["--max-body", "9999999999G"], ["--json", "--form"], ["--cert-key", "x"], ["--http", "3"], ["--rate", "0"],
            ["--max-redirects", "3"], ["--follow", "--max-redirects", "0"],
            ["--deny-private", "--proxy-env"], ["--limit-rate", "0"], ["--limit-rate", "x"], ["--quiet", "--progress"],
        ]
    )
    func mistakes(arguments: [String]) {
        #expect(throws: (any Error).self) { try RequestOptions.parse(arguments) }
    }

    @Test("of credentials go into the configuration, and by default no redirect is followed")
    func identity() throws {
        let made = { (arguments: [String]) in try RequestOptions.parse(arguments).configuration() }
        #expect(try made([]).redirects.maximumCount == 0)
        #expect(try made(["--no-follow"]).redirects.maximumCount == 0)
        #expect(try made(["--follow"]).redirects.maximumCount == 20)
        #expect(try made(["--follow", "--max-redirects", "3"]).redirects.maximumCount == 3)
        #expect(try settings(["--dump-certs", "d"]).tls.reportsCertificates)
    }

    @Test("do not repeat a proxy's password in errors")
    func proxyMistake() throws {
        let error = #expect(throws: (any Error).self) { try RequestOptions.parse(["--proxy", "gopher://u:geheim@a"]) }
        let message = error.map { Send.message(for: $0) } ?? ""
        #expect(message.contains("its scheme is not"))
        #expect(!message.contains("geheim"))
    }

    @Test("infer the kind of a credential from its form")
    func credentials() throws {
        let credential = { (arguments: [String]) in try RequestOptions.parse(arguments).identity.credential() }
        #expect(try credential(["-a", "u:p:q"]) == .basic("u", "p:q"))
        #expect(try credential(["-a", "abc"]) == .bearer("abc"))
        #expect(try credential(["-a", "a:b", "-A", "bearer"]) == .bearer("a:b"))
        #expect(throws: UsageError.self) { try credential(["-a", "u", "-A", "basic"]) }
        #expect(throws: UsageError.self) { try credential(["-A", "basic"]) }
    }

    @Test(
        "may have an optional value",
        arguments: [
            (["--idempotency-key", "abc-1", "POST", ":1"], ["--idempotency-key=abc-1", "POST", ":1"]),
            (["--idempotency-key", "POST", ":1"], ["--idempotency-key=\(OptionalValue.none)", "POST", ":1"]),
            (["--idempotency-key", ":1"], ["--idempotency-key=\(OptionalValue.none)", ":1"]),
            (["a.test", "--idempotency-key"], ["a.test", "--idempotency-key=\(OptionalValue.none)"]),
            (["--idempotency-key", "-v"], ["--idempotency-key=\(OptionalValue.none)", "-v"]),
            (["--idempotency-key=x", "-v"], ["--idempotency-key=x", "-v"]),
        ]
    )
    func optionalValue(arguments: [String], completed: [String]) {
        #expect(OptionalValue.complete(arguments) == completed)
    }
}
