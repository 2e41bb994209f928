// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Swifty
import TestSupport
import Testing

@Suite("Cookies: attacks on scope", .timeLimit(.minutes(15)))
struct CookieScopeTests {
    private func jar(_ suffixes: PublicSuffixList = .sample) -> CookieJar {
        CookieJar(publicSuffixes: suffixes, now: DateClock().now)
    }

    @Test("a cookie for a public suffix, or for other hosts, is refused, with each list and without")
    func superCookies() throws {
        for suffixes in [PublicSuffixList.sample, .system, .builtIn] {
            for domain in ["co.uk", ".co.uk", "CO.UK", "Co.uK", ".CO.uk", "co.uk.", ".co.uk.", "uk", ".uk", "uk.", "."]
            {
                let jar = jar(suffixes)
                #expect(
                    try jar.validationError(of: "k=v; Domain=\(domain)", from: "https://a.co.uk/") != nil,
                    "\(domain)"
                )
                #expect(
                    try jar.validationError(of: "k=v; Domain=\(domain)", from: "https://a.co.uk./") != nil,
                    "\(domain)"
                )
                #expect(jar.allCookies.isEmpty)
            }
            for domain in ["1.2.3.4", "other.test", "b.co.uk", "x.a.co.uk", "a.co.uk.", "..a.co.uk", ".."] {
                let error = try jar(suffixes).validationError(of: "k=v; Domain=\(domain)", from: "https://a.co.uk/")
                #expect(error == .foreignDomain, "\(domain)")
            }
            #expect(
                try jar(suffixes).validationError(of: "k=v; Domain=co.uk", from: "https://a.co.uk/") == .publicSuffix
            )
        }
    }

    @Test("a host that is a public suffix has its own cookies")
    func suffixAsHost() throws {
        let jar = jar()
        try jar.receive(["k=v; Domain=co.uk; Path=/"], from: "http://co.uk/")
        #expect(try jar.sent(to: "http://co.uk/") == "k=v")
        #expect(try jar.sent(to: "http://a.co.uk/") == "")
    }

    @Test("an address has only its own cookies")
    func addresses() throws {
        let jar = jar()
        try jar.receive(["a=1", "b=2; Domain=127.0.0.1"], from: "http://127.0.0.1/")
        try jar.receive(["c=3; Domain=0.0.1", "d=4; Domain=.0.1", "e=5; Domain=1"], from: "http://127.0.0.1/")
        #expect(try jar.sent(to: "http://127.0.0.1/") == "a=1; b=2")
        #expect(try jar.sent(to: "http://127.0.0.2/") == "")
        #expect(try jar.sent(to: "http://1.127.0.0.1.test/") == "")
        #expect(jar.allCookies.allSatisfy { $0.isHostOnly })
        try jar.receive(["f=6", "g=7; Domain=[::1]", "h=8; Domain=::1"], from: "http://[::1]/")
        #expect(try jar.sent(to: "http://[::1]/") == "f=6; g=7")
        #expect(try jar.sent(to: "http://[::2]/") == "")
    }

    @Test("only https sets a secure cookie, or replaces one")
    func tossing() throws {
        for host in ["shop.test", "127.0.0.2", "127.1.test", "a.localhost", "localhost.test", "[::2]"] {
            #expect(try jar().validationError(of: "k=v; Secure", from: "http://\(host)/") == .insecureOrigin)
        }
        let jar = jar()
        try jar.receive(["sid=good; Secure; Path=/app; Domain=shop.test"], from: "https://shop.test/")
        for line in ["sid=bad; Path=/app", "sid=bad; Path=/app/x", "sid=bad; Path=/app; Max-Age=0", "sid=; Path=/app/"]
        {
            #expect(try jar.validationError(of: line, from: "http://shop.test/") == .hidesSecureCookie, "\(line)")
            #expect(try jar.validationError(of: line, from: "http://www.shop.test/") == .hidesSecureCookie, "\(line)")
            #expect(
                try jar.validationError(of: line + "; Domain=shop.test", from: "http://www.shop.test/")
                    == .hidesSecureCookie
            )
        }
        #expect(try jar.sent(to: "https://shop.test/app") == "sid=good")
        #expect(try jar.sent(to: "http://shop.test/app") == "")
        // Another name, and paths to which the secure one is not sent.
        #expect(try jar.validationError(of: "SID=x", from: "http://shop.test/") == nil)
        #expect(try jar.validationError(of: "sid=x; Path=/", from: "http://shop.test/") == nil)
        #expect(try jar.validationError(of: "sid=x; Path=/apple", from: "http://shop.test/") == nil)
        #expect(try jar.validationError(of: "sid=new; Path=/app; Domain=shop.test", from: "https://shop.test/") == nil)
    }

    @Test("this machine sets and gets secure cookies over http, too", arguments: ["localhost", "127.0.0.1", "[::1]"])
    func thisMachine(host: String) throws {
        let jar = jar()
        try jar.receive(["sid=1; Secure", "__Host-x=2; Secure; Path=/"], from: "http://\(host)/")
        try jar.receive(["sid=3"], from: "http://\(host):8080/")
        #expect(try jar.sent(to: "http://\(host):3000/") == "sid=3; __Host-x=2")
        #expect(try jar.sent(to: "http://127.0.0.2/") == "")
    }

    @Test(
        "the prefix __Host- requires Secure, no Domain and the path /",
        arguments: ["__Host-x", "__HOST-x", "__host-X"]
    )
    func hostPrefix(name: String) throws {
        let url = "https://www.shop.test/"
        for attributes in [
            "", "; Secure", "; Path=/", "; Secure; Path=/x", "; Secure; Path=/; Domain=shop.test",
            "; Secure; Path=/; Domain=www.shop.test", "; Secure; Path=/; Path=",
        ] {
            #expect(
                try jar().validationError(of: "\(name)=1\(attributes)", from: url) == .prefixViolation,
                "\(attributes)"
            )
        }
        #expect(
            try jar().validationError(of: "\(name)=1; Secure; Path=/", from: "http://www.shop.test/") == .insecureOrigin
        )
        #expect(try jar().validationError(of: "\(name)=1; Secure; Path=/", from: url) == nil)
    }

    @Test(
        "the prefix __Secure- requires Secure, whatever its case",
        arguments: ["__Secure-x", "__SECURE-x", "__secure-x"]
    )
    func securePrefix(name: String) throws {
        #expect(try jar().validationError(of: "\(name)=1; Path=/", from: "https://shop.test/") == .prefixViolation)
        #expect(try jar().validationError(of: "\(name)=1", from: "http://shop.test/") == .prefixViolation)
        #expect(try jar().validationError(of: "\(name)=1; Secure; Domain=shop.test", from: "https://shop.test/") == nil)
    }

    @Test("a cookie without a name cannot look like one with a prefix")
    func namelessPrefix() throws {
        for line in ["=__Host-x=1", "__Host-x", "= __host-x=1", "=__Secure-x=1", "__SECURE-"] {
            let error = try jar().validationError(of: line + "; Secure; Path=/", from: "https://shop.test/")
            #expect(error == .prefixViolation, "\(line)")
        }
        #expect(try jar().validationError(of: "=__Hos-x=1", from: "https://shop.test/") == nil)
    }

    @Test("an invalid cookie is refused with a reason")
    func reasons() throws {
        let url = "https://shop.test/"
        #expect(try jar().validationError(of: "", from: url) == .malformed)
        #expect(try jar().validationError(of: "k=\r\nX: y", from: url) == .controlCharacter)
        #expect(try jar().validationError(of: "k=" + String(repeating: "x", count: 1 << 20), from: url) == .tooLarge)
        #expect(try jar().validationError(of: "k=v; Domain=other.test", from: url) == .foreignDomain)
    }

    @Test("a cookie of invalid UTF-8 is refused, and never sent as other bytes")
    func otherBytes() throws {
        let jar = jar()
        let field = HTTPField(name: .setCookie, lenientValue: [0x6B, 0x3D, 0xFF])
        jar.store(
            from: ResponseHead(statusCode: 200, headers: HTTPFields([field])),
            of: try TargetURI("http://shop.test/")
        )
        #expect(jar.allCookies.isEmpty)
    }
}
