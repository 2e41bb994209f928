// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTransport
import Testing

@testable import SwiftyCurl

@Suite("TLS rules of hosts", .timeLimit(.minutes(15)))
struct HostRulesTests {
    private let pin = "sha256//AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="

    private func rules(
        _ pins: [String: TransportSettings.TLS.Pins],
        unverified: Set<String> = []
    ) throws -> [String: HostRules] {
        try HostRules.rules(of: .with { ($0.pins, $0.unverifiedHosts) = (pins, unverified) })
    }

    @Test("are found by the name in lower case, without the last dot, an address with its brackets")
    func names() throws {
        let pins = TransportSettings.TLS.Pins.publicKeys([pin])
        let rules = try rules(
            ["Example.COM.": pins, "::1": pins, "192.0.2.1": pins],
            unverified: ["example.com", "[::2]"]
        )
        #expect(Set(rules.keys) == ["example.com", "[::1]", "192.0.2.1", "[::2]"])
        #expect(rules["example.com"] == HostRules(isChainVerified: false, isNameVerified: false, pins: pins))
        #expect(rules["[::1]"] == HostRules(pins: pins))
        #expect(rules["[::2]"] == HostRules(isChainVerified: false, isNameVerified: false))
    }

    @Test(
        "reject anything other than a host, because the rule would never apply",
        arguments: [
            "", "*.example.com", "example.com:443", "https://example.com", "example.com/", "a b", "user@a", "127.1",
        ]
    )
    func hosts(host: String) {
        #expect(throws: SwiftyError.self) { try rules([host: .publicKeys([pin])]) }
        #expect(throws: SwiftyError.self) { try rules([:], unverified: [host]) }
    }

    @Test("reject malformed pins, empty lists and two lists for a host")
    func malformed() {
        let half = "sha256//AAAAAAAAAAAAAAAAAAAAAA=="
        for text in [
            "", "AAAA", "sha256//", "sha256//????", half, "sha256/" + pin, String(pin.dropLast()), pin + ";" + pin,
        ] {
            for pins in [TransportSettings.TLS.Pins.publicKeys([pin, text]), .certificates([text])] {
                let error = #expect(throws: SwiftyError.self) { try rules(["a.test": pins]) }
                #expect(error?.reason.contains("a.test") == true)
            }
        }
        #expect(throws: SwiftyError.self) { try rules(["a.test": .publicKeys([])]) }
        #expect(throws: SwiftyError.self) {
            try rules(["a.test": .publicKeys([pin]), "A.test": .publicKeys([pin])])
        }
        #expect(throws: SwiftyError.self) {
            try rules(["::1": .publicKeys([pin]), "[0:0:0:0:0:0:0:1]": .publicKeys([pin])])
        }
    }

    @Test("that are malformed fail every load of the transport without connecting, even in cleartext")
    func failClosed() async throws {
        let transport = CurlTransport(configuration: .with { $0.settings.tls.pins = ["a.test": .publicKeys(["x"])] })
        for url in ["http://127.0.0.1:1/", "https://127.0.0.1:1/"] {
            let error = try await transport.failure(of: .to(url))
            #expect(error.code == .invalidSettings)
            #expect(error.stage == .building)
            #expect(error.sent == .notSent)
            #expect(error.request != nil)
        }
    }

    @Test("cost nothing if the settings are the default ones")
    func plain() {
        #expect(TrustStore.isNamedByEnvironment || TLSPolicy(TransportSettings.TLS()) == nil)
        #expect(TLSPolicy(.with { $0.unverifiedHosts = ["a"] }) != nil)
        #expect(TLSPolicy(.with { $0.unverifiedNames = ["a"] }) != nil)
    }

    @Test("leave the chain verified if the name alone is not, unless the host is not verified at all")
    func unverifiedNames() throws {
        let rules = try HostRules.rules(
            of: .with {
                ($0.unverifiedNames, $0.unverifiedHosts) = (["a.test", "b.test."], ["B.test"])
            }
        )
        #expect(rules["a.test"] == HostRules(isNameVerified: false))
        #expect(rules["a.test"]?.isVerified == false)
        #expect(rules["b.test"] == HostRules(isChainVerified: false, isNameVerified: false))
        #expect(throws: SwiftyError.self) { try HostRules.rules(of: .with { $0.unverifiedNames = ["*.test"] }) }
    }
}
