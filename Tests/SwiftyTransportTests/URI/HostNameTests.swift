// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTransport
import Testing

@Suite("The host of a URI", .timeLimit(.minutes(15)))
struct HostNameTests {
    /// In the groups of RFC 5952: §4.1 leading zeros, §4.2 shortening, §4.3 letters; then IPv4 in IPv6, names and IPv4.
    private static let normalForms = [
        ("[2001:0db8::0001]", "[2001:db8::1]"), ("[0001:2:3:4:5:6:7:0008]", "[1:2:3:4:5:6:7:8]"),
        ("[::]", "[::]"), ("[0:0:0:0:0:0:0:0]", "[::]"), ("[0::0]", "[::]"), ("[::1]", "[::1]"),
        ("[0:0:0:0:0:0:0:1]", "[::1]"), ("[1::]", "[1::]"), ("[1:0:0:0:0:0:0:0]", "[1::]"),
        ("[2001:db8:0:0:0:0:2:1]", "[2001:db8::2:1]"), ("[2001:db8::1:1:1:1:1]", "[2001:db8:0:1:1:1:1:1]"),
        ("[2001:0:0:1:0:0:0:1]", "[2001:0:0:1::1]"), ("[2001:db8:0:0:1:0:0:1]", "[2001:db8::1:0:0:1]"),
        ("[1:2:3:4:5:6:7::]", "[1:2:3:4:5:6:7:0]"), ("[::2:3:4:5:6:7:8]", "[0:2:3:4:5:6:7:8]"),
        ("[2001:DB8::AaAa]", "[2001:db8::aaaa]"),
        ("[::ffff:127.0.0.1]", "127.0.0.1"), ("[::FFFF:7f00:1]", "127.0.0.1"),
        ("[0:0:0:0:0:ffff:7f00:0001]", "127.0.0.1"), ("[::127.0.0.1]", "[::7f00:1]"),
        ("[64:ff9b::127.0.0.1]", "[64:ff9b::7f00:1]"), ("[1:2:3:4:5:6:1.2.3.4]", "[1:2:3:4:5:6:102:304]"),
        ("Example.COM", "example.com"), ("example.com.", "example.com"),
        ("XN--Bcher-KVA.example.", "xn--bcher-kva.example"),
        ("localhost.", "localhost"), ("127.0.0.1.", "127.0.0.1"), ("a_b.1a", "a_b.1a"),
        (String(repeating: "a.", count: 126) + "a.", String(repeating: "a.", count: 126) + "a"),
    ]

    @Test("has one normal form, whatever the spelling", arguments: normalForms)
    func normalForm(host: String, normal: String) throws {
        for (scheme, port) in [("http", ""), ("HTTPS", ":8443")] {
            let target = try TargetURI("\(scheme)://\(host)\(port)/")
            #expect(target.host == normal)
            #expect(target.origin == "\(scheme.lowercased())://\(normal)\(port)")
        }
        #expect(HostAndPort(host: host, port: 1).host == normal)
        #expect(HostAndPort(host: normal, port: 1).isValid)
        let isBracketed = host.hasPrefix("[")
        if isBracketed { #expect(HostAndPort(host: String(host.dropFirst().dropLast()), port: 1).host == normal) }
    }

    @Test(
        "is not an abbreviated IPv4 address, and the reason names the full one",
        arguments: [
            ("127.1", "127.0.0.1"), ("127.0.1", "127.0.0.1"), ("0x7f.1", "127.0.0.1"), ("0X7F.0.0.1", "127.0.0.1"),
            ("0177.0.0.1", "127.0.0.1"), ("2130706433", "127.0.0.1"), ("0x7f000001", "127.0.0.1"),
            ("017700000001", "127.0.0.1"), ("10.0.0.010", "10.0.0.8"), ("127.1.", "127.0.0.1"), ("0", "0.0.0.0"),
        ]
    )
    func abbreviated(host: String, usual: String) {
        let error = #expect(throws: TargetURI.ValidationError.self) { try TargetURI("http://\(host)/") }
        #expect(error?.reason.hasSuffix("write \(usual)") == true, "\(error?.reason ?? "")")
        #expect(HostAndPort(host: host, port: 1).host == host)
        #expect(!HostAndPort(host: host, port: 1).isValid)
    }

    @Test(
        "is refused if it is neither a name nor an address",
        arguments: [
            "", ".", "..", "a..b", "a..", ".a", "256.0.0.1", "1.2.3.4.5", "a.0x1", "a b", "a%2eb",
            "b\u{fc}cher.example",
            "a:1", "*.a", "fe80::1%lo", String(repeating: "a", count: 64), String(repeating: "a.", count: 127) + "a",
        ]
    )
    func noHost(host: String) {
        #expect(!HostAndPort(host: host, port: 1).isValid)
        // In a URI, `a:1` is a host with a port.
        #expect(host == "a:1" || (try? TargetURI("http://\(host)/")) == nil)
    }

    @Test("has no zone, and the reason names it", arguments: ["[fe80::1%25eth0]", "[fe80::1%eth0]", "[::1%1]"])
    func zone(host: String) {
        let error = #expect(throws: TargetURI.ValidationError.self) { try TargetURI("http://\(host)/") }
        #expect(error?.reason.contains("zone") == true)
    }

    @Test(
        "is not an IPv6 address with a missing, additional or malformed group",
        arguments: [
            "[]", "[:]", "[:::]", "[:::1]", "[1]", "[1:2]", "[1::2::3]", "[12345::]", "[1:2:3:4:5:6:7]",
            "[1:2:3:4:5:6:7:8:9]", "[1:2:3:4:5:6:7:8::]", "[::127.1]", "[::0177.0.0.1]", "[1.2.3.4::]", "[::1.2.3.4:5]",
            "[::1%25lo]", "[::1%lo]", "[::g]", "[127.0.0.1]", "[::1", "::1]", "[::1]]", "[[::1]]", "[::1]x", "[v1.a]",
        ]
    )
    func noAddress(host: String) {
        #expect(throws: TargetURI.ValidationError.self) { try TargetURI("http://\(host)/") }
    }
}
