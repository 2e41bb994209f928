// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTransport
import Testing

@Suite("A proxy", .timeLimit(.minutes(15)))
struct ProxyTests {
    private static let parsed: [(String, TransportSettings.Proxy.Kind, String, Int, String?, String?)] = [
        ("http://proxy.test:3128", .http, "proxy.test", 3128, nil, nil),
        ("http://proxy.test", .http, "proxy.test", 80, nil, nil),
        ("https://proxy.test/", .https, "proxy.test", 443, nil, nil),
        ("HTTP://Proxy.Test:1", .http, "proxy.test", 1, nil, nil),
        ("socks5h://proxy.test", .socks5, "proxy.test", 1080, nil, nil),
        ("socks5://proxy.test:9050", .socks5WithLocalNames, "proxy.test", 9050, nil, nil),
        ("proxy.test:3128", .http, "proxy.test", 3128, nil, nil),
        ("user:pw@proxy.test", .http, "proxy.test", 80, "user", "pw"),
        ("http://user@proxy.test", .http, "proxy.test", 80, "user", nil),
        ("http://user:@proxy.test", .http, "proxy.test", 80, "user", ""),
        ("http://:pw@proxy.test", .http, "proxy.test", 80, "", "pw"),
        ("http://u%20s:p%40%3A%2F%25@proxy.test:8", .http, "proxy.test", 8, "u s", "p@:/%"),
        ("http://u:a:b@proxy.test", .http, "proxy.test", 80, "u", "a:b"),
        ("http://u:a@b@proxy.test", .http, "proxy.test", 80, "u", "a@b"),
        ("http://u:%C3%A4@proxy.test", .http, "proxy.test", 80, "u", "\u{e4}"),
        ("http://[::1]:3128", .http, "[::1]", 3128, nil, nil), ("http://[::1]", .http, "[::1]", 80, nil, nil),
        ("http://10.0.0.1:8080/", .http, "10.0.0.1", 8080, nil, nil),
    ]

    @Test("is parsed from its URL", arguments: parsed)
    func parses(
        _ text: String,
        _ kind: TransportSettings.Proxy.Kind,
        _ host: String,
        _ port: Int,
        _ user: String?,
        _ password: String?
    )
        throws
    {
        let expected = TransportSettings.Proxy(
            kind,
            at: HostAndPort(host: host, port: port),
            user: user,
            password: password
        )
        let proxy = try TransportSettings.Proxy(text)
        #expect(proxy == expected)
        #expect(proxy.user == user)
        #expect(proxy.password == password)
    }

    @Test(
        "is refused with a reason that repeats nothing of its text",
        arguments: [
            ("", "host"), ("http://", "host"), ("ftp://canary.test", "scheme"), ("socks4://canary.test", "scheme"),
            ("://canary.test", "scheme"), ("http://canary.test:0", "port"), ("http://canary.test:65536", "port"),
            ("http://canary.test:", "port"), ("http://canary.test:80x", "port"), ("http://canary.test:+80", "port"),
            ("http://canary.test:80:80", "port"), ("http://canary.test/path", "path"),
            ("http://canary.test?query", "query"), ("http://canary.test#fragment", "fragment"),
            ("http://user:can/ary@proxy.test", "password"), ("http://canary test", "space"),
            ("http://canary.test\r\nX: y", "control"), ("http://canary.test\0", "control"),
            ("http://user:canary%0D%0AX:y@proxy.test", "control"), ("http://canary%00@proxy.test", "control"),
            ("http://user%3Acanary:pw@proxy.test", "colon"), ("http://user:canary%4@proxy.test", "percent"),
            ("http://user:canary%FF@proxy.test", "UTF-8"), ("http://user:canary%zz@proxy.test", "percent"),
            ("http://canary\\@proxy.test", "backslash"), ("http://[::canary", "port"), ("http://[canary]", "host"),
            ("http://can..ary", "host"),
            ("http://0x7f.1", "host"), ("http://127.1:80", "host"), ("http://::1:3128", "port"),
            ("http://canary\u{10D}.test", "host"),
        ]
    )
    func refuses(text: String, hint: String) {
        let error = #expect(throws: TransportSettings.Proxy.ValidationError.self) { try TransportSettings.Proxy(text) }
        #expect(error?.reason.contains(hint) == true, "\(error?.reason ?? "no error")")
        #expect(error?.reason.contains("canary") == false)
    }

    @Test("made of parts is checked when it is used")
    func parts() {
        let address = HostAndPort(host: "proxy.test", port: 80)
        let invalid = [
            TransportSettings.Proxy(.http, at: HostAndPort(host: "a\r\nX: y", port: 80)),
            TransportSettings.Proxy(.http, at: HostAndPort(host: "a", port: 0)),
            TransportSettings.Proxy(.http, at: HostAndPort(host: "proxy.test:80", port: 80)),
            TransportSettings.Proxy(.http, at: address, user: "a\nb"),
            TransportSettings.Proxy(.socks5, at: address, user: "u", password: String(repeating: "x", count: 256)),
            TransportSettings.Proxy(.https, at: address, user: "a:b"),
            TransportSettings.Proxy(.http, at: address, password: "\r"),
        ]
        for proxy in invalid {
            #expect(throws: TransportSettings.Proxy.ValidationError.self, "\(proxy)") { try proxy.validated() }
        }
        #expect(throws: Never.self) { try TransportSettings.Proxy(.socks5, at: address, user: "a:b").validated() }
    }

    @Test("shows no credentials in descriptions and dumps, also inside of other values")
    func redaction() {
        let proxy = TransportSettings.Proxy(
            .http,
            at: HostAndPort(host: "proxy.test", port: 3128),
            user: "canary",
            password: "canary"
        )
        #expect("\(proxy)" == "http://REDACTED@proxy.test:3128")
        var settings = TransportSettings()
        settings.proxy = .proxy(proxy, exceptions: ["a.test"])
        for value in [proxy, settings.proxy, settings, [proxy], Optional(proxy) as Any] as [Any] {
            var dumped = ""
            dump(value, to: &dumped)
            for text in [dumped, String(describing: value), String(reflecting: value)] {
                #expect(text.contains("proxy.test"))
                #expect(!text.contains("canary"))
            }
        }
    }
}
