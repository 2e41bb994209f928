// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import TestSupport
import Testing

@Suite("Cookies: received and sent", .timeLimit(.minutes(15)))
struct CookieParsingTests {
    /// The `Set-Cookie` lines of a response, and the cookies of a later request. The URL of both is
    /// `http://www.shop.test/a/b`, unless set with `from` or `to`.
    struct Row {
        let lines: [String]
        let sent: String
        var from = "http://www.shop.test/a/b"
        var to = "http://www.shop.test/a/b"

        init(_ lines: String..., sent: String) {
            self.lines = lines
            self.sent = sent
        }

        func from(_ url: String) -> Row {
            var row = self
            row.from = url
            return row
        }

        func to(_ url: String) -> Row {
            var row = self
            row.to = url
            return row
        }
    }

    private func check(_ rows: [Row]) throws {
        for row in rows {
            let jar = CookieJar(publicSuffixes: .sample, now: DateClock().now)
            for line in row.lines { try jar.receive([line], from: row.from) }
            #expect(try jar.sent(to: row.to) == row.sent, "\(row.lines) from \(row.from) to \(row.to)")
        }
    }

    @Test("tables have at least 100 rows")
    func size() {
        #expect([Self.pairs, Self.attributes, Self.ends, Self.domains, Self.paths].joined().count >= 100)
    }

    @Test("reads names and values")
    func names() throws { try check(Self.pairs) }

    @Test("reads attributes, the last of a name")
    func attributes() throws { try check(Self.attributes) }

    @Test("reads when a cookie expires")
    func ends() throws { try check(Self.ends) }

    @Test("sends cookies to the hosts that they are for")
    func domains() throws { try check(Self.domains) }

    @Test("sends cookies to the paths that they are for, the most specific first")
    func paths() throws { try check(Self.paths) }

    @Test("keeps every attribute")
    func cookie() throws {
        let jar = CookieJar(publicSuffixes: .sample, now: DateClock().now)
        try jar.setCookie(
            "id=1; Domain=.Shop.TEST; Path=/x; Secure; HttpOnly; SameSite=lax; Max-Age=60",
            from: TargetURI("https://www.shop.test/a/b")
        )
        let cookie = try #require(jar.allCookies.first)
        #expect((cookie.name, cookie.value, cookie.domain, cookie.path) == ("id", "1", "shop.test", "/x"))
        #expect(!cookie.isHostOnly)
        #expect(cookie.isSecure)
        #expect(cookie.isHTTPOnly)
        #expect(cookie.sameSite == .lax)
        #expect(cookie.created == DateClock.start)
        #expect(cookie.expires == DateClock.start.addingTimeInterval(60))
    }
}

extension CookieParsingTests {
    static let pairs: [Row] = [
        Row("k=v", sent: "k=v"), Row("k=", sent: "k="), Row("=v", sent: "v"), Row("v", sent: "v"), Row("=", sent: ""),
        Row("", sent: ""), Row("   ", sent: ""), Row(";", sent: ""), Row("; k=v", sent: ""), Row("=; Path=/", sent: ""),
        Row("k=v=w", sent: "k=v=w"), Row("k==v", sent: "k==v"), Row("==v", sent: "=v"), Row("k=a b", sent: "k=a b"),
        Row("  k  =  v  ", sent: "k=v"), Row("\tk\t=\tv\t", sent: "k=v"), Row("k k=v", sent: "k k=v"),
        Row("k=a\tb", sent: "k=a\tb"), Row("k=\"v\"", sent: "k=\"v\""), Row("k=\" v \"", sent: "k=\" v \""),
        Row("k=\"a;b\"", sent: "k=\"a"), Row("\"k=v\"", sent: "\"k=v\""), Row("k=a,b", sent: "k=a,b"),
        Row("k=v, l=w", sent: "k=v, l=w"), Row("k=v,l=w; Path=/", sent: "k=v,l=w"),
        Row("$Version=1", sent: "$Version=1"),
        Row("k=%20", sent: "k=%20"), Row("k=\\", sent: "k=\\"), Row("ключ=значение", sent: "ключ=значение"),
        Row("k={\"a\":1}", sent: "k={\"a\":1}"), Row("k=v", "l=w", sent: "k=v; l=w"),
        Row("l=w", "k=v", sent: "l=w; k=v"),
        Row("k=v", "k=w", sent: "k=w"), Row("k=v", "l=w", "k=x", sent: "k=x; l=w"), Row("k=v", "K=w", sent: "k=v; K=w"),
        Row("v", "w", sent: "w"), Row("v", "=w", sent: "w"), Row("v", "k=w", sent: "v; k=w"),
        Row("k=v", "k", sent: "k=v; k"),
        Row("a\u{1}=v", sent: ""), Row("k=a\u{1}b", sent: ""), Row("k=a\u{1F}", sent: ""), Row("k=a\u{7F}b", sent: ""),
        Row("k=v; Path=/\u{1}", sent: ""), Row("k=v; x=\u{8}", sent: ""),
        Row("k=" + String(repeating: "v", count: 4095), sent: "k=" + String(repeating: "v", count: 4095)),
        Row("k=" + String(repeating: "v", count: 4096), sent: ""), Row(String(repeating: "v", count: 4097), sent: ""),
    ]

    static let attributes: [Row] = [
        Row("k=v;", sent: "k=v"), Row("k=v; ;; ;", sent: "k=v"), Row("k=v; =; =x; x=", sent: "k=v"),
        Row("k=v; unknown=1; Version=1", sent: "k=v"), Row("k=v; HttpOnly", sent: "k=v"),
        Row("k=v;HTTPONLY=no", sent: "k=v"),
        Row("k=v; Secure", sent: ""), Row("k=v; SECURE=0", sent: ""), Row("k=v;   secure   ; x", sent: ""),
        Row("k=v; \"Secure\"", sent: "k=v"), Row("k=v; Secure x", sent: "k=v"), Row("k=v; Secured", sent: "k=v"),
        Row("k=v; Secure").fromSecure, Row("k=v; secure=").fromSecure,
        Row("k=v; SameSite=Strict", sent: "k=v"), Row("k=v; SameSite=None", sent: "k=v"),
        Row("k=v; SameSite=Whatever; SameSite", sent: "k=v"), Row("k=v; Partitioned; Priority=High", sent: "k=v"),
        Row("k=v; Path=/" + String(repeating: "x", count: 1024), sent: "k=v"),
        Row("k=v; Path=/" + String(repeating: "x", count: 1023), sent: ""),
    ]

    static let ends: [Row] = [
        Row("k=v; Max-Age=10", sent: "k=v"), Row("k=v; max-age=0", sent: ""), Row("k=v; Max-Age=-1", sent: ""),
        Row("k=v; Max-Age=-99999999999999999999", sent: ""), Row("k=v; Max-Age=99999999999999999999", sent: "k=v"),
        Row("k=v; Max-Age=", sent: "k=v"), Row("k=v; Max-Age=-", sent: "k=v"), Row("k=v; Max-Age=+0", sent: "k=v"),
        Row("k=v; Max-Age=0x0", sent: "k=v"), Row("k=v; Max-Age=0.5", sent: "k=v"),
        Row("k=v; Max-Age=0 0", sent: "k=v"),
        Row("k=v; Max-Age=\"0\"", sent: "k=v"), Row("k=v; Max-Age= 0", sent: ""),
        Row("k=v; Max-Age=10; Max-Age=0", sent: ""),
        Row("k=v; Max-Age=0; Max-Age=10", sent: "k=v"), Row("k=v; Max-Age=0; Max-Age=x", sent: ""),
        Row("k=v; Expires=Fri, 01 Jan 2027 00:00:00 GMT", sent: "k=v"),
        Row("k=v; Expires=Wed, 01 Jan 2025 00:00:00 GMT", sent: ""),
        Row("k=v; Expires=Wed, 01-Jan-25 00:00:00 GMT; x", sent: ""), Row("k=v; Expires=never", sent: "k=v"),
        Row("k=v; Expires=", sent: "k=v"), Row("k=v; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Max-Age=9", sent: "k=v"),
        Row("k=v; Max-Age=0; Expires=Fri, 01 Jan 2027 00:00:00 GMT", sent: ""),
        Row("k=v; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Expires=never", sent: ""),
        Row("k=v", "k=; Max-Age=0", sent: ""), Row("k=v", "k=x; Max-Age=0; Path=/elsewhere", sent: "k=v"),
        Row("k=v", "l=w", "k=; Expires=Thu, 01 Jan 1970 00:00:00 GMT", sent: "l=w"),
        Row("v", "=w; Max-Age=0", sent: ""),
    ]

    static let domains: [Row] = [
        Row("k=v", sent: "").to("http://shop.test/a/b"), Row("k=v", sent: "").to("http://x.www.shop.test/a/b"),
        Row("k=v", sent: "k=v").to("http://www.shop.test:8080/a/b"),
        Row("k=v", sent: "k=v").to("http://WWW.Shop.TEST/a/b"),
        Row("k=v", sent: "k=v").to("https://www.shop.test/a/b"),
        Row("k=v; Domain=shop.test", sent: "k=v").to("http://shop.test/a/b"),
        Row("k=v; Domain=.shop.test", sent: "k=v").to("http://x.y.shop.test/a/b"),
        Row("k=v; domain=SHOP.Test", sent: "k=v").to("http://shop.test/a/b"),
        Row("k=v; Domain=shop.test", sent: "").to("http://workshop.test/a/b"),
        Row("k=v; Domain=www.shop.test", sent: "k=v").to("http://x.www.shop.test/a/b"),
        Row("k=v; Domain=www.shop.test", sent: "").to("http://shop.test/a/b"),
        Row("k=v; Domain=", sent: "k=v"), Row("k=v; Domain", sent: "k=v"),
        Row("k=v; Domain=", sent: "").to("http://shop.test/a/b"),
        Row("k=v; Domain=shop.test; Domain=", sent: "").to("http://shop.test/a/b"),
        Row("k=v; Domain=; Domain=shop.test", sent: "k=v").to("http://shop.test/a/b"),
        Row("k=v; Domain=other.test; Domain=shop.test", sent: "k=v"),
        Row("k=v; Domain=shop.test; Domain=other.test", sent: ""),
        Row("k=v; Domain=\"shop.test\"", sent: ""), Row("k=v; Domain=shop.test:80", sent: ""),
        Row("k=v; Domain=http://shop.test", sent: ""), Row("k=v; Domain=. shop.test", sent: ""),
        Row("k=v; Domain=  shop.test  ", sent: "k=v"), Row("k=v; Domain=hop.test", sent: ""),
        Row("k=v; Domain=shöp.test", sent: ""),
        Row("k=v; Domain=shop.test", "k=w", sent: "k=v; k=w"),
        Row("k=v", "k=w; Domain=www.shop.test", sent: "k=v; k=w"),
        Row("k=v; Domain=" + String(repeating: "x", count: 1025), sent: "k=v"),
        Row("k=v", sent: "k=v").from("http://localhost/a/b").to("http://localhost:81/a/b"),
        Row("k=v; Domain=localhost", sent: "k=v").from("http://localhost/a/b").to("http://localhost/a/b"),
        Row("k=v; Domain=localhost", sent: "").from("http://localhost/a/b").to("http://x.localhost/a/b"),
        Row("k=v", sent: "k=v").from("http://[::1]/a/b").to("http://[::1]:81/a/b"),
        Row("k=v", sent: "k=v").to("http://www.shop.test./a/b"),
    ]

    static let paths: [Row] = [
        Row("k=v", sent: "k=v").to("http://www.shop.test/a"), Row("k=v", sent: "").to("http://www.shop.test/"),
        Row("k=v", sent: "k=v").to("http://www.shop.test/a/x/y?q=/z"),
        Row("k=v", sent: "").to("http://www.shop.test/ab"),
        Row("k=v", sent: "k=v").from("http://www.shop.test").to("http://www.shop.test/any"),
        Row("k=v", sent: "k=v").from("http://www.shop.test/a").to("http://www.shop.test"),
        Row("k=v", sent: "").from("http://www.shop.test/a/").to("http://www.shop.test/"),
        Row("k=v; Path=/", sent: "k=v").to("http://www.shop.test"),
        Row("k=v; Path=", sent: "").to("http://www.shop.test/"),
        Row("k=v; Path", sent: "k=v"), Row("k=v; Path=a", sent: "k=v"), Row("k=v; Path=\"/x\"", sent: "k=v"),
        Row("k=v; Path=/x", sent: ""), Row("k=v; Path=/A", sent: ""), Row("k=v; Path=/a/", sent: "k=v"),
        Row("k=v; Path=/a/b/", sent: ""), Row("k=v; Path=/a/b", sent: "k=v").to("http://www.shop.test/a/b/"),
        Row("k=v; Path=/a%2Fb", sent: ""), Row("k=v; Path=/x; Path=/", sent: "k=v"),
        Row("k=v; Path=/; Path=/x", sent: ""),
        Row("k=v; Path=/x; Path=", sent: "k=v"), Row("k=v; Path = /a ", sent: "k=v"), Row("k=v; Path=/a?", sent: ""),
        Row("k=v; Path=/", "k=w; Path=/a", "k=x; Path=/a/b", sent: "k=x; k=w; k=v"),
        Row("k=x; Path=/a/b", "k=v; Path=/", sent: "k=x; k=v"),
        Row("b=1; Path=/", "a=1; Path=/", "b=2; Path=/", sent: "b=2; a=1"),
        Row("k=v; Path=/elsewhere", sent: "k=v").to("http://www.shop.test/elsewhere/deep"),
        Row("k=v; Path=//", sent: "k=v").to("http://www.shop.test//x"),
    ]
}

extension CookieParsingTests.Row {
    /// The row with both requests over https.
    fileprivate var fromSecure: Self { from("https://www.shop.test/a/b").to("https://www.shop.test/a/b") }

    fileprivate init(_ line: String) {
        self.init(line, sent: "k=v")
    }
}
