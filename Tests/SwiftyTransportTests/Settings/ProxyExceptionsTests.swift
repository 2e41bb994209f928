// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTransport
import Testing

@Suite("Hosts that are reached without the proxy", .timeLimit(.minutes(15)))
struct ProxyExceptionsTests {
    private static let covered: [(String, String, Int)] = [
        ("example.com", "example.com", 443), ("example.com", "api.example.com", 80),
        ("example.com", "a.b.example.com", 80), (".example.com", "example.com", 80),
        (".example.com", "api.example.com", 80), ("*.example.com", "api.example.com", 80),
        ("EXAMPLE.com", "api.Example.COM", 80), ("example.com.", "example.com", 80),
        ("example.com", "example.com.", 80), ("localhost", "localhost", 80), ("localhost", "localhost.", 80),
        ("localhost.", "LOCALHOST", 80), ("example.com:8080", "example.com", 8080),
        ("example.com:8080", "api.example.com", 8080), ("*", "anything.example", 1), ("*", "[::1]", 443),
        ("*", "[::1%25.example.com]", 80), ("*:8080", "anything.example", 8080),
        ("::1", "[::1]", 443), ("[::1]", "[::1]", 443), ("[::1]:8443", "[::1]", 8443),
        ("::1", "[0:0:0:0:0:0:0:1]", 443), ("0::1", "[::1]", 443), ("FD00::A", "[fd00::a]", 80),
        ("127.0.0.1", "127.0.0.1", 80), ("127.0.0.1:3000", "127.0.0.1", 3000),
        ("127.0.0.1", "[::ffff:127.0.0.1]", 80), ("127.0.0.1.", "127.0.0.1", 80), ("127.0.0.1", "127.0.0.1.", 80),
        ("127.0.0.1.:80", "127.0.0.1", 80), ("10.0.0.0/8", "[::ffff:a01:101]", 80), ("::ffff:7f00:1", "127.0.0.1", 80),
        ("10.0.0.0/8", "10.255.255.255", 80), ("10.1.2.3/8", "10.200.0.1", 80), ("10.0.0.0/8:80", "10.0.0.1", 80),
        ("0.0.0.0/0", "8.8.8.8", 80), ("192.168.1.128/25", "192.168.1.200", 80), ("1.2.3.4/32", "1.2.3.4", 80),
        ("fd00::/8", "[fdff::1]", 80), ("fe80::/10", "[febf::1]", 80), ("::/0", "[2001:db8::1]", 80),
        ("10.0.0.0/8", "[::ffff:10.1.1.1]", 80), ("::ffff:10.0.0.0/104", "10.9.9.9", 80),
        ("a.test,b.test", "b.test", 80), (" a.test ,\tb.test  c.test\n", "c.test", 80), (",, ,a.test,", "a.test", 80),
        ("nonsense/99 a.test", "a.test", 80),
    ]

    @Test("are listed by name, domain, address, block and port", arguments: covered)
    func covers(_ entry: String, _ host: String, _ port: Int) {
        #expect(TransportSettings.ProxyExceptions([entry]).contains(HostAndPort(host: host, port: port)))
    }

    private static let uncovered: [(String, String, Int)] = [
        ("example.com", "badexample.com", 80), ("example.com", "example.com.evil.test", 80),
        ("example.com", "example.co", 80), ("*.example.com", "example.com", 80), ("ample.com", "example.com", 80),
        ("*ample.com", "example.com", 80), ("api.*.com", "api.x.com", 80), ("com", "example.org", 80),
        ("example.com:8080", "example.com", 80), ("example.com:", "example.com", 80),
        ("example.com:99999", "example.com", 80), ("*:8080", "example.com", 80), (":80", "example.com", 80),
        ("localhost", "127.0.0.1", 80), ("127.0.0.1", "localhost", 80), ("localhost", "notlocalhost", 80),
        ("::1", "[::1%25.example.com]", 80), (".example.com", "[::1%25.example.com]", 80),
        ("example.com", "::1%.example.com", 80), ("fe80::1%eth0", "[fe80::1]", 80),
        ("0.0.1", "127.0.0.1", 80), (".0.0.1", "127.0.0.1", 80), ("127.1", "127.0.0.1", 80),
        ("127.0.0.1", "127.1", 80), ("127.0.0.0/8", "127.1", 80), ("127.0.0.0/8", "0x7f.0.0.1", 80),
        (".127.0.0.1", "127.0.0.1", 80), ("*.127.0.0.1", "127.0.0.1", 80), ("10.0.0.0./8", "10.0.0.1", 80),
        ("127.0.0.1", "0177.0.0.1", 80), ("0177.0.0.1", "127.0.0.1", 80), ("127.0.0.1", "2130706433", 80),
        ("10.0.0.0/8", "11.0.0.1", 80), ("10.0.0.0/33", "10.0.0.0", 80), ("10.0.0.0/-1", "10.0.0.0", 80),
        ("10.0.0.0/", "10.0.0.0", 80), ("10.0.0.0/8/8", "10.0.0.0", 80), ("10.0.0.0/8", "10.evil.test", 80),
        ("::1", "[::2]", 80), ("fd00::/8", "[fe00::1]", 80), ("0.0.0.0/0", "[2001:db8::1]", 80),
        ("::/0", "8.8.8.8", 80), ("[127.0.0.1]", "127.0.0.1", 80), ("[::1", "[::1]", 80), ("", "example.com", 80),
        ("ex\u{e4}mple.com", "example.com", 80), ("a\0.test", "a.test", 80), ("example.com", "", 80),
        ("127.0.0.1", "127.0.0.1\0.example.com", 80),
    ]

    @Test("do not include hosts that only look similar", arguments: uncovered)
    func doesNotCover(_ entry: String, _ host: String, _ port: Int) {
        #expect(!TransportSettings.ProxyExceptions([entry]).contains(HostAndPort(host: host, port: port)))
    }

    @Test("are none without an entry")
    func none() {
        #expect(!TransportSettings.ProxyExceptions([]).contains(HostAndPort(host: "localhost", port: 80)))
        #expect(!TransportSettings.ProxyExceptions().contains(HostAndPort(host: "127.0.0.1", port: 80)))
    }
}
