// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Swifty
import Testing

@testable import SwiftyCommand

@Suite("A curl command becomes Swift", .timeLimit(.minutes(15)))
struct ImportTests {
    private func function(_ command: String) throws -> String {
        try SwiftFunction(Import.words(of: command).words).text
    }

    @Test("word by word, split as by a shell")
    func words() throws {
        let command = "curl 'a b' \"c\\\"d\\$e\\n\" f\\ g $'h\\n\\x41\\'' \\\n  i'j'\"k\" '' 'ü'"
        let words = ["curl", "a b", "c\"d$e\\n", "f g", "h\nA'", "ijk", "", "ü"]
        #expect(try ShellWords(command).words == words)
        for open in ["'a", "\"a", "$'a", "\"a\\"] {
            #expect(throws: UsageError.self) { try Import.words(of: open).words }
        }
    }

    @Test("with method, path, query, fields, content and limits")
    func whole() throws {
        let command = #"""
            curl -sSL -XPATCH 'https://api.example.com:8443/users/{7}?q=a%20b&x' -H 'X-Id: 1' -H 'Empty;' \
              -H 'Content-Type: application/json' -u ada:secret --data-raw '{"a":"b\n"}' -m 5 --retry 2 --compressed
            """#
        #expect(
            try function(command) == ##"""
                import Swifty

                final class ExampleService: WebService {
                    static let serverURL = "https://api.example.com:8443"
                    static let networkInterface: any NetworkInterface = Swifty()

                    static func patchUsers7() -> NetworkResourceWithBody {
                        server.patch("users/%7B7%7D")
                            .query([("q", "a b"), ("x", "")])
                            .addHeader("X-Id", "1")
                            .addHeader("Empty", "")
                            .basic("ada", "secret")
                            .text(#"{"a":"b\n"}"#, contentType: "application/json")
                            .timeout(.seconds(5.0))
                            .retry(3)
                    }
                }
                // On the Swifty, not on the request: redirects are followed

                """##
        )
    }

    @Test(
        "for every form of content",
        arguments: [
            (
                "curl -d a=1 -d b=2 a.test", "server.post()",
                #".text("a=1&b=2", contentType: "application/x-www-form-urlencoded")"#
            ),
            ("curl -G -d a=1 a.test/x?b=2", #"server.get("x")"#, #".query([("b", "2"), ("a", "1")])"#),
            ("curl --json '[1]' a.test", "server.post()", #".accept("application/json")"#),
            ("curl -F f=@a.png -F t=x a.test", "server.post()", #".multipart(name: "f", file: "a.png")"#),
            ("curl -T up.bin a.test/f", #"server.put("f")"#, #".file("up.bin")"#),
            ("curl -I a.test", "NetworkResourceWithoutBody", "server.head()"),
            ("curl -d @a.json a.test", "server.post()", #".file("a.json", contentType:"#),
            ("curl --data-urlencode 'a=x y' a.test", "server.post()", "a=x%20y"),
            ("curl -X PROPFIND a.test/d", #"server.request("PROPFIND", "d")"#, "propfindD()"),
        ]
    )
    func contents(command: String, first: String, second: String) throws {
        let text = try function(command)
        #expect(text.contains(first), "\(text)")
        #expect(text.contains(second), "\(text)")
    }

    @Test("or an error", arguments: ["wget a", "curl", "curl --unknown a.test", "curl -H", "curl ftp://a.test"])
    func mistakes(command: String) {
        #expect(throws: UsageError.self) { try function(command) }
    }

    @Test("whose literals cannot be ended early by its texts")
    func literals() {
        #expect(SwiftFunction.literal("a\"b") == ##"#"a"b"#"##)
        #expect(SwiftFunction.literal("a\"#b\n") == ##""a\"#b\n""##)
        #expect(SwiftFunction.literal(##"\#(x)"##) == ##""\\#(x)""##)
        #expect(SwiftFunction.literal("\u{1}") == #""\u{1}""#)
        // A combining accent makes one character of a mark and itself, and still two for the compiler.
        #expect(SwiftFunction.literal("\\a\"#\u{301}b") == "\"\\\\a\\\"#\u{301}b\"")
    }
}
