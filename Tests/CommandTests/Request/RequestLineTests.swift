// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import SwiftyCommand

@Suite("The request line", .timeLimit(.minutes(15)))
struct RequestLineTests {
    @Test(
        "expands abbreviated URLs",
        arguments: [
            (":3000/path", "http://localhost:3000/path"), (":/path", "http://localhost/path"),
            (":", "http://localhost"), (":?a=b", "http://localhost?a=b"),
            ("localhost:80/x", "http://localhost:80/x"), ("127.0.0.1/x", "http://127.0.0.1/x"),
            ("[::1]:8/x", "http://[::1]:8/x"), ("example.com", "https://example.com"),
            ("LocalHost:80", "http://LocalHost:80"), ("localhost.", "http://localhost."),
            ("[0:0:0:0:0:0:0:1]", "http://[0:0:0:0:0:0:0:1]"), ("[::ffff:127.0.0.2]/", "http://[::ffff:127.0.0.2]/"),
            ("127.example.com", "https://127.example.com"), ("localhost.example.com", "https://localhost.example.com"),
            ("example.com/a?b=http://c", "https://example.com/a?b=http://c"),
            ("https://a.test/x#y", "https://a.test/x"),
            ("://a.test", "https://a.test"), ("ftp://a.test", "ftp://a.test"),
        ]
    )
    func shorthand(text: String, url: String) {
        #expect(URLShorthand.expand(text) == url)
    }

    @Test("has an optional method, in upper or lower case if it is a common one")
    func methods() throws {
        #expect(try RequestLine(["get", ":1"]).method == "GET")
        #expect(try RequestLine(["PROPFIND", ":1"]).method == "PROPFIND")
        #expect(try RequestLine(["localhost", "a=b"]).method == nil)
        let line = try RequestLine(["PUT", ":1/x", "a=b", "-", "Q:1"])
        #expect(line.url == "http://localhost:1/x")
        #expect(line.readsInput)
        #expect(line.items.count == 2)
    }

    @Test(
        "takes user and password out of the URL",
        arguments: [
            ("http://u:p@a.test/x", "http://a.test/x", "u:p"),
            ("u:p@a.test:8/x?y=1@2", "https://a.test:8/x?y=1@2", "u:p"),
            ("http://u@a.test", "http://a.test", "u:"), ("http://a%40b:p%3Aq@a.test", "http://a.test", "a@b:p:q"),
            ("http://u:p@q@a.test", "http://a.test", "u:p@q"), ("http://a.test/@b", "http://a.test/@b", nil),
            ("http://u:p@localhost", "http://localhost", "u:p"), ("u:p@localhost:1", "http://localhost:1", "u:p"),
        ]
    )
    func logins(text: String, url: String, login: String?) throws {
        let line = try RequestLine([text])
        #expect(line.url == url)
        #expect(line.login == login)
    }

    @Test("names a space in the URL", arguments: ["http://a.test/a b", "a.test/x?q=a b"])
    func spaces(url: String) {
        let error = #expect(throws: UsageError.self) { try RequestLine([url]) }
        #expect(error?.hint == "Write %20 in its place.")
    }

    @Test(
        "names the URL that a colon or a slash is missing in",
        arguments: [
            ("http:/a.test/x", "http://a.test/x"), ("http//a.test", "http://a.test"),
            ("https:a.test", "https://a.test"),
            ("HTTPS:/a.test", "https://a.test"), ("http:localhost:3000/", "http://localhost:3000/"),
        ]
    )
    func repairs(text: String, url: String) {
        let error = #expect(throws: UsageError.self) { try RequestLine([text]) }
        #expect(error?.hint == "Did you mean \(url)?")
    }

    @Test(
        "leaves other URLs as they are",
        arguments: ["http://a.test", "httpbin.org/get", "http:8080/x", "https.test/", "http", "://a.test", "a.test//x"]
    )
    func whole(text: String) {
        #expect(URLShorthand.repaired(text) == nil)
    }

    @Test("needs a URL", arguments: [[], ["GET"], ["post"]])
    func missing(arguments: [String]) {
        #expect(throws: UsageError.self) { try RequestLine(arguments) }
    }

    @Test("shows no password and no secret of a URL whose scheme is written wrongly")
    func secretsOfRepairedURLs() {
        for url in ["http:/u:geheim@a.test/", "https//a.test/?token=geheim"] {
            let error = #expect(throws: UsageError.self) { try RequestLine([url]) }
            let text = "\(error?.message ?? "") \(error?.hint ?? "")"
            #expect(text.contains("Did you mean") && !text.contains("geheim"), "\(text)")
        }
    }
}
