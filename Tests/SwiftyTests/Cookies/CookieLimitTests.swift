// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Swifty
import TestSupport
import Testing

@Suite("Cookies: limits and time", .timeLimit(.minutes(15)))
struct CookieLimitTests {
    private let clock = DateClock()
    private var jar: CookieJar { CookieJar(publicSuffixes: .sample, now: clock.now) }

    @Test("takes 50 cookies of a response, and works as before afterwards")
    func perResponse() throws {
        let jar = jar
        let flood = ["big=" + String(repeating: "x", count: 1 << 20)] + (0..<10_000).map { "k\($0)=v" }
        try jar.receive(flood, from: "http://shop.test/")
        #expect(jar.allCookies.count == 50)
        try jar.receive(["later=1"], from: "http://shop.test/")
        #expect(jar.allCookies.last?.name == "later")
    }

    @Test("keeps 180 cookies for all hosts of a registrable domain, and removes insecure ones first")
    func perSite() throws {
        let jar = jar
        try jar.receive(["secure=1; Secure; Path=/"], from: "https://shop.test/")
        try jar.receive(["used=1; Path=/", "unused=1; Path=/"], from: "http://shop.test/")
        try jar.receive(["other=1"], from: "http://other.test/")
        for index in 0..<300 {
            clock.advance(by: 1)
            _ = try jar.sent(to: "http://shop.test/")
            if index == 0 { try jar.receive(["unused=2; Path=/never"], from: "http://shop.test/") }
            try jar.receive(["k\(index)=v"], from: "http://h\(index % 7).shop.test/")
        }
        let names = Set(jar.allCookies.map(\.name))
        #expect(jar.allCookies.filter { $0.domain.hasSuffix("shop.test") }.count == 180)
        #expect(names.isSuperset(of: ["secure", "used", "other", "k299", "k200"]))
        #expect(!names.contains("k0"))
    }

    @Test("keeps sites separate that share only a public suffix")
    func sitesBelowSuffix() throws {
        let jar = jar
        for index in 0..<200 { try jar.receive(["k\(index)=v"], from: "http://a.co.uk/") }
        for index in 0..<100 { try jar.receive(["k\(index)=v"], from: "http://b.co.uk/") }
        #expect(jar.allCookies.filter { $0.domain == "a.co.uk" }.count == 180)
        #expect(jar.allCookies.filter { $0.domain == "b.co.uk" }.count == 100)
    }

    @Test("keeps 3,000 cookies, and removes the ones unused for longest")
    func total() throws {
        let jar = jar
        for host in 0..<3100 {
            clock.advance(by: 1)
            if host > 0 { _ = try jar.sent(to: "http://h0.test/") }
            try jar.receive(["k=v"], from: "http://h\(host).test/")
        }
        #expect(jar.allCookies.count == 3000)
        #expect(try jar.sent(to: "http://h0.test/") == "k=v")
        #expect(try jar.sent(to: "http://h1.test/") == "")
        #expect(try jar.sent(to: "http://h100.test/") == "")
        #expect(try jar.sent(to: "http://h101.test/") == "k=v")
    }

    @Test("expired cookies are removed before others")
    func expiredFirst() throws {
        let jar = jar
        try jar.receive(["old=1"], from: "http://shop.test/")
        clock.advance(by: 1)
        for index in 0..<179 { try jar.receive(["k\(index)=v; Max-Age=10"], from: "http://shop.test/") }
        clock.advance(by: 60)
        try jar.receive(["new=1"], from: "http://shop.test/")
        #expect(try jar.sent(to: "http://shop.test/") == "old=1; new=1")
    }

    @Test("sends 8 KiB of cookies, and drops the least specific ones")
    func fieldSize() throws {
        let jar = jar
        let value = String(repeating: "v", count: 2000)
        for path in ["/", "/a", "/a/b", "/a/b/c", "/a/b/c/d", "/a/b/c/d/e"] {
            try jar.receive(["k\(path.utf8.count)=\(value); Path=\(path)"], from: "http://shop.test/")
        }
        let sent = try jar.sent(to: "http://shop.test/a/b/c/d/e")
        #expect(sent.utf8.count <= 8192)
        #expect(sent.split(separator: ";").map { $0.drop { $0 == " " }.prefix(4) } == ["k10=", "k8=v", "k6=v", "k4=v"])
    }

    @Test("the caller's own cookies come first, stay whole, and win by name")
    func merging() throws {
        let jar = jar
        try jar.receive(["a=jar", "b=jar", "nameless"], from: "http://shop.test/")
        #expect(try jar.sent(to: "http://shop.test/", own: "b=own; c=own") == "b=own; c=own; a=jar; nameless")
        #expect(try jar.sent(to: "http://shop.test/", own: "own") == "own; a=jar; b=jar")
        #expect(try jar.sent(to: "http://other.test/", own: "b=own") == "b=own")
        let large = "x=" + String(repeating: "y", count: 9000)
        #expect(try jar.sent(to: "http://shop.test/", own: large) == large)
    }

    @Test("a cookie expires at its time, and at the latest 400 days after it was set")
    func expiry() throws {
        let jar = jar
        try jar.receive(
            [
                "short=1; Max-Age=60", "long=1; Max-Age=9999999999", "date=1; Expires=Wed, 01 Jan 2099 00:00:00 GMT",
                "session=1",
            ],
            from: "http://shop.test/"
        )
        clock.advance(by: 59.5)
        #expect(try jar.sent(to: "http://shop.test/").contains("short"))
        clock.advance(by: 0.5)
        #expect(try jar.sent(to: "http://shop.test/") == "long=1; date=1; session=1")
        clock.advance(by: 400 * 86_400)
        #expect(try jar.sent(to: "http://shop.test/") == "session=1")
        #expect(jar.allCookies.map(\.name) == ["session"])
        #expect("\(jar)" == "CookieJar(4 cookies)")
        jar.removeExpired()
        #expect("\(jar)" == "CookieJar(1 cookies)")
    }

    @Test("session cookies can be removed, and all cookies")
    func removing() throws {
        let jar = jar
        try jar.receive(["session=1", "lasting=1; Max-Age=60"], from: "http://shop.test/")
        jar.removeSessionCookies()
        #expect(try jar.sent(to: "http://shop.test/") == "lasting=1")
        jar.removeAll()
        #expect(jar.allCookies.isEmpty)
        #expect(try jar.sent(to: "http://shop.test/") == "")
    }

    @Test("a clock that is set back neither expires nor reorders cookies")
    func clockSetBack() throws {
        let jar = jar
        try jar.receive(["a=1; Max-Age=60"], from: "http://shop.test/")
        clock.advance(by: -86_400)
        try jar.receive(["b=1"], from: "http://shop.test/")
        #expect(try jar.sent(to: "http://shop.test/").contains("a=1"))
    }
}
