// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTransport
import Testing

@Suite("A target URI", .timeLimit(.minutes(15)))
struct TargetURITests {
    @Test(
        "is parsed into its parts and normalized",
        arguments: [
            ("https://example.com", "https://example.com/"),
            ("HTTPS://Example.COM:443/a?b=c", "https://example.com/a?b=c"),
            ("http://127.0.0.1:8080", "http://127.0.0.1:8080/"),
            ("http://[::1]:80/x", "http://[::1]/x"),
            ("http://a/ä b".replacing(" ", with: "%20"), "http://a/%C3%A4%20b"),
            ("http://a/%41%zz", "http://a/%41%25zz"), ("http://a:/x", "http://a/x"), ("https://a:", "https://a/"),
            ("http://[::1]:?q", "http://[::1]/?q"),
        ]
    )
    func parses(text: String, normalized: String) throws {
        #expect(try TargetURI(text).string == normalized)
    }

    @Test(
        "is refused with a reason if it is not valid",
        arguments: [
            ("", "empty"), ("example.com", "scheme"), ("not a url", "space"), ("ftp://example.com", "ftp"),
            ("https://", "no host"), ("http:///x", "no host"), ("http://user:pw@host/", "credentials"),
            ("http://a\\@b/", "backslash"), ("http://a/\r\nX: y", "control"), ("http://a/\0", "control"),
            ("http://a:80:81/", "port"), ("http://a:0/", "port"), ("http://a:99999/", "port"),
            ("http://[::1/", "IPv6"), ("http://a%00.b/", "valid name"), ("http://2130706433/", "IPv4"),
            ("http://0x7f.1/", "IPv4"), ("http://0177.0.0.1/", "IPv4"), ("http://127.1/", "IPv4"),
            ("http://ex\u{e4}mple.com/", "xn--"), ("http://a..b/", "label"), ("http://a/#f", "fragment"),
            ("http://a#@evil/", "fragment"), ("//evil/", "scheme"), ("http:/a", "scheme"),
        ]
    )
    func refuses(text: String, hint: String) {
        let error = #expect(throws: TargetURI.ValidationError.self) { try TargetURI(text) }
        #expect(error?.reason.contains(hint) == true, "\(error?.reason ?? "no error")")
    }

    @Test(
        "has no dot segments, in any spelling of its path",
        arguments: [
            ("/b/../c", "/c"), ("/b/./c", "/b/c"), ("/b/%2e%2e/c", "/c"), ("/b/.%2E/c", "/c"), ("/b/%2e./c", "/c"),
            ("/%2e%2e/", "/"), ("/..", "/"), ("/../../x", "/x"), ("/b/c/..", "/b/"), ("/b/.", "/b/"), ("/b/%2E", "/b/"),
            ("/./b?x=/../y", "/b?x=/../y"), ("/b//../c", "/b/c"), ("/.//b", "//b"), ("/..a/.b/...", "/..a/.b/..."),
            ("/%2e%2e%2e/%2eb", "/%2e%2e%2e/%2eb"), ("/b/%252e%252e/c", "/b/%252e%252e/c"), ("/b/..;/c", "/b/..;/c"),
            ("/b/..%2fc", "/b/..%2fc"), ("/b/%2", "/b/%252"), ("/b/%2e%2e", "/"), ("/\u{e4}/..", "/"),
        ]
    )
    func dots(path: String, resolved: String) throws {
        let target = try TargetURI("https://a" + path)
        #expect(target.string == "https://a" + resolved)
        #expect(try TargetURI(target.string) == target)
        let parts = path.split(separator: "?", omittingEmptySubsequences: false).map(String.init)
        let replaced = try TargetURI("https://a/old").replacing(path: parts[0], query: parts.dropFirst().first)
        #expect(replaced == target)
    }

    @Test("never leaves its origin when path and query are replaced")
    func staysOnOrigin() throws {
        let base = try TargetURI("https://api.example.com/v1")
        for path in ["//evil/", "http://evil/", "@evil", "/a b", "\\\\evil", "/\r\nHost: evil"] {
            let target = base.replacing(path: path, query: "q=\r\n#x")
            #expect(target.origin == "https://api.example.com")
            #expect(target.string.hasPrefix("https://api.example.com/"))
            #expect(try TargetURI(target.string) == target)
        }
    }

    @Test("hides secret query values in its description")
    func redacts() throws {
        let target = try TargetURI("https://a/x?user=me&access_token=canary&sig=canary&page=2")
        #expect(target.description == "https://a/x?user=me&access_token=REDACTED&sig=REDACTED&page=2")
    }
}
