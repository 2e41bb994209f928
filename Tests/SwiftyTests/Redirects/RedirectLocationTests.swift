// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Swifty

@Suite("The Location of a redirect", .timeLimit(.minutes(15)))
struct RedirectLocationTests {
    private func location(_ fields: [String], of url: String = "http://example.test/a/b?c") throws -> RedirectLocation?
    {
        let lines = fields.map { "Location: \($0)\r\n" }.joined()
        let head = ResponseHead(statusCode: 302, reasonPhrase: "", httpVersion: .http1_1, rawFields: Array(lines.utf8))
        return try RedirectLocation(head, of: try Redirecting.request(.get, url))
    }

    @Test(
        "is resolved against the request's URL",
        arguments: [
            ("http://b/x", "http://b/x"), ("HTTPS://B:443/x", "https://b/x"), ("//b", "http://b/"),
            ("/x", "http://example.test/x"), ("x", "http://example.test/a/x"), ("../x", "http://example.test/x"),
            ("?q", "http://example.test/a/b?q"), ("", "http://example.test/a/b?c"),
            ("#f", "http://example.test/a/b?c"), ("/\u{e9}?\u{e9}", "http://example.test/%C3%A9?%C3%A9"),
            ("http://user:secret@b/x", "http://b/x"), ("http://example.test@evil/", "http://evil/"),
            ("http://a@b@evil/", "http://evil/"), ("  /x\t ", "http://example.test/x"),
            ("/%2e%2e/x", "http://example.test/x"), ("%2E./x", "http://example.test/x"),
            ("//b/c/.%2e/x", "http://b/x"), ("http://b/%2e%2e%2e/..", "http://b/"),
            ("//EXAMPLE.test./x", "http://example.test/x"),
            // Spaces are encoded as by browsers and curl, but none is part of a host.
            ("/a file.txt", "http://example.test/a%20file.txt"), ("a b", "http://example.test/a/a%20b"),
            ("/a?b c#d e", "http://example.test/a?b%20c"), ("?x y", "http://example.test/a/b?x%20y"),
            ("http://b/a b", "http://b/a%20b"), ("http://b?a b", "http://b/?a%20b"),
            ("/a%20b c", "http://example.test/a%20b%20c"),
            ("/ /evil.test/", "http://example.test/%20/evil.test/"),
            // A field has a space in place of a zero byte (RFC 9110 §5.5).
            ("/a\u{0}b", "http://example.test/a%20b"),
            // An empty port is the default one (RFC 3986 §3.2.3).
            ("http://b:/x", "http://b/x"), ("//b:", "http://b/"), ("https://[::1]:/", "https://[::1]/"),
        ]
    )
    func resolves(location: String, url: String) throws {
        #expect(try self.location([location])?.target.string == url)
    }

    @Test(
        "is refused if its scheme or form is unsafe",
        arguments: [
            "file:///etc/passwd", "ftp://b/x", "gopher://b/", "unix:/run/x.sock", "unix://run/x.sock", "data:,x",
            "javascript:alert(1)", "dict://b:2628/d", "jar:http://b!/x", "about:blank", "ws://b/", "localhost:80/x",
            "http:x", "http:/x", "http:///x", "http://", "http://b:99999/", "http://b:x/", "http://a b/", "//a b/",
            "http://b\\@c/", "\\\\b\\x", "http://[::1/", "http://127.1/", "http://0x7f.0.0.1/", "http://\u{e9}.test/",
            "/a\u{1}", "http://b%00/", "/x\u{7f}", "http://a\u{1}@b/", "/x#\u{1b}[2J",
            "http://us er@b/", "http://b /", "http:// b/", "http://a b@c/", "//b :80/", "http://b: 80/", "/a\tb",
        ]
    )
    func refuses(location: String) {
        let error = #expect(throws: SwiftyError.self) { try self.location([location]) }
        #expect(error?.code == .redirectRefused)
    }

    @Test("may be missing or repeated, but not with different values")
    func count() throws {
        #expect(try location([]) == nil)
        #expect(try location(["/x", "/x"])?.target.string == "http://example.test/x")
        #expect(throws: SwiftyError.self) { try location(["/x", "/y"]) }
    }

    @Test("never traps, whatever its bytes are")
    func bytes() throws {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<5_000 {
            let value = (0..<Int.random(in: 0..<24, using: &generator)).map { _ in UInt8.random(in: 0...255) }
            let start = ["", "http:", "//", "http://a"].randomElement() ?? ""
            let head = ResponseHead(
                statusCode: 302,
                reasonPhrase: "",
                httpVersion: .http1_1,
                rawFields: Array("Location: \(start)".utf8) + value + [13, 10]
            )
            guard let target = (try? RedirectLocation(head, of: Redirecting.request()))?.target else { continue }
            #expect(try TargetURI(target.string).string == target.string)
        }
    }
}
