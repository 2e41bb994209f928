// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import TestSupport
import Testing

@testable import SwiftyCommand

@Suite("Every option of curl", .timeLimit(.minutes(15)))
struct ImportOptionTests {
    /// The options that are carried over into the function or its comments.
    private static let carried: Set<String> = [
        "request", "header", "data", "data-ascii", "data-raw", "data-binary", "data-urlencode", "json", "form",
        "form-string", "upload-file", "user", "oauth2-bearer", "digest", "user-agent", "referer", "cookie", "range",
        "head",
        "max-time", "connect-timeout", "retry", "url-query", "location", "location-trusted", "max-redirs",
        "proto-redir",
        "insecure", "cacert", "cert", "key", "pinnedpubkey", "tlsv1.2", "tlsv1.3", "http1.1", "http2", "ipv4", "ipv6",
        "proxy", "proxy-user", "socks5", "socks5-hostname", "resolve", "unix-socket", "interface", "cookie-jar",
        "max-filesize", "speed-time", "retry-all-errors", "limit-rate", "output", "remote-name", "no-buffer",
    ]

    /// The options for the default behaviour of Swifty, and those that only modify other options.
    private static let neutral: Set<String> = [
        "compressed", "basic", "disable", "globoff", "get", "url", "continue-at",
    ]

    @Test("is carried over, named or rejected; its value is never mistaken for a URL")
    func table() async throws {
        let plain = try CURLArguments(["curl", "https://a.test/"])
        let text = try SwiftFunction(plain).text
        for option in try await CURLHelp.options() {
            let forms = ["--\(option.name)"] + (option.letter.map { ["-\($0)"] } ?? [])
            for form in forms where option.name != "url" {
                let value = option.takesValue ? [CURLHelp.sample(option.name)] : []
                guard let arguments = try? CURLArguments(["curl", form] + value + ["https://a.test/"]) else {
                    #expect(!Self.carried.contains(option.name), "\(form)")
                    #expect(!Self.neutral.contains(option.name), "\(form)")
                    continue
                }
                #expect(arguments.url == "https://a.test/", "\(form)")
                let isNamed = arguments.dropped.contains { $0.hasPrefix(form) }
                let isCarried = try SwiftFunction(arguments).text != text
                #expect(isCarried == Self.carried.contains(option.name), "\(form)")
                #expect(isCarried || isNamed || Self.neutral.contains(option.name), "\(form) is lost")
                if isNamed, let value = value.first { #expect(arguments.dropped.contains("\(form) \(value)")) }
            }
        }
    }

    @Test(
        "keeps its meaning",
        arguments: [
            ("curl --data-raw @x a.test", #".text("@x", contentType:"#),
            ("curl --json '{' --json '}' a.test", #".text("{}", contentType:"#),
            ("curl -d a --json b a.test", #".text("ab", contentType: "application/json")"#),
            ("curl -u a:b --digest a.test", "with .digest(user:password:) (a:b)"),
            ("curl --oauth2-bearer t a.test", #".bearer("t")"#),
            ("curl -r 0-9 a.test", #".addHeader("Range", "bytes=0-9")"#),
            ("curl -b a=1 -b b=2 a.test", #".addHeader("Cookie", "a=1; b=2")"#),
            ("curl -b jar a.test", "cookies (jar)"),
            (
                "curl -F 'f=@a.png;type=image/png;filename=b.png' a.test",
                #".multipart(name: "f", file: "a.png", fileName: "b.png", contentType: "image/png")"#
            ),
            ("curl -F 'f=@\"a;b.png\"' a.test", #".multipart(name: "f", file: "a;b.png")"#),
            ("curl --form-string 'f=@a;type=x' a.test", #".multipart(name: "f", value: "@a;type=x")"#),
            ("curl -T up.bin http://a.test/dir/", #"server.put("dir/up.bin")"#),
            ("curl --limit-rate 2M a.test", ".limitRate(download: 2097152, upload: 2097152)"),
            ("curl -C - -o 'a b.gz' a.test/x", #": try await AService.getX().download(to: "a b.gz")"#),
            ("curl -O a.test/x", #".download(to: ".")"#),
            ("curl -N a.test", "for try await part in try await AService.get().stream() {"),
            ("curl --url a.test/x", #"server.get("x")"#),
            ("curl --url-query 'a=b c' a.test", #".query([("a", "b c")])"#),
            ("curl -G -d a=1 a.test", #".query([("a", "1")])"#),
            ("curl -H 'Accept:' a.test", #".removeHeader("Accept")"#),
            ("curl -A '' a.test", #".removeHeader("User-Agent")"#),
            ("curl -X GET -d a a.test/x", #"server.request("GET", "x")"#),
            ("curl -X GET -d a a.test", ".allowsContent()"),
            ("curl -e 'http://b;auto' a.test", #"", "http://b")"#), ("curl -- a.test/x", #"server.get("x")"#),
        ]
    )
    func values(command: String, part: String) throws {
        let text = try SwiftFunction(Import.words(of: command).words).text
        #expect(text.contains(part), "\(text)")
    }

    @Test(
        "is named with its effect if it cannot be kept",
        arguments: [
            ("curl -s -o out a.test", ["-s"]), ("curl -sSo out a.test", ["-s", "-S"]),
            ("curl -C - -o out a.test", []), ("curl -C 100 -o out a.test", ["-C 100"]), ("curl -N a.test", []),
            ("curl -w '%{http_code}' a.test", ["-w %{http_code}"]), ("curl -H 'Host:' a.test", ["-H 'Host:'"]),
            ("curl -H nothing a.test", ["-H 'nothing'"]), ("curl --no-silent a.test", ["--no-silent"]),
            ("curl -u a a.test", ["curl's prompt for the password of a"]),
            ("curl -F 'f=@a;x=y' a.test", [";x=y (-F f=@a;x=y)"]),
            ("curl -F 'f=a;type=x' a.test", [";type=x (-F f=a;type=x)"]),
            ("curl -d @a.txt a.test", ["the removal of line ends (-d @a.txt)"]), ("curl --data-binary @a a.test", []),
            ("curl 'a.test/{a,b}'", ["curl's expansion of {…} and […] in the URL"]),
            ("curl 'http://[::1]/a'", []), ("curl -g 'a.test/{a}'", []),
            ("curl -e 'http://b;auto' a.test", ["-e with ;auto"]),
            ("curl -F a=1 -H 'Content-Type: x' a.test", ["the Content-Type field beside a form"]),
        ] as [(String, [String])]
    )
    func named(command: String, dropped: [String]) throws {
        #expect(try CURLArguments(ShellWords(command).words).dropped == dropped)
    }

    @Test(
        "is rejected if the request would change without it",
        arguments: [
            "curl a.test b.test", "curl a.test | jq .", "curl a.test --next b.test", "curl -K f a.test",
            "curl --ntlm a.test",
            "curl -d a -F b=c a.test", "curl -d @a -d b a.test", "curl -d @- a.test", "curl -T - a.test",
            "curl -F f=@- a.test",
            "curl -F 'f=<a' a.test", "curl -F f=@a,b a.test", "curl -F nothing a.test", "curl -X HEAD -d a a.test",
            "curl -I -d a a.test", "curl -m x a.test", "curl --limit-rate x a.test", "curl --retry x a.test",
            "curl -H @f a.test",
            "curl -G -d @f a.test",
            "curl --data-urlencode @f a.test", "curl --data-urlencode a@f a.test", "curl --request-target /x a.test",
            "curl --no-data a.test", "curl --variable a=b a.test", "curl -T a -T b a.test", "curl --loc a.test",
        ]
    )
    func refused(command: String) {
        #expect(throws: UsageError.self) { try SwiftFunction(Import.words(of: command).words) }
    }

    @Test(
        "keeps variables of the shell as they are, and names them",
        arguments: [
            (#"curl -H "Authorization: Bearer $TOKEN" a.test"#, ["$TOKEN"]),
            (#"curl "a.test/${ID}?x=$Q""#, ["${ID}", "$Q"]),
            ("curl a.test/$(id -u) -d `date`", ["$(…)", "`…`", "`…`"]),
            (#"curl -d '$A' -H "X: \$B" a.test?a=$1&b=5$"#, []),
            ("curl -d $'a' a.test", []),
        ]
    )
    func variables(command: String, names: [String]) throws {
        let words = try ShellWords(command)
        #expect(words.expansions == names)
        if let name = names.first, name.hasPrefix("$T") { #expect(words.words[2] == "Authorization: Bearer $TOKEN") }
    }

    @Test("that is omitted is named on standard error, and nothing else is")
    func command() async throws {
        let run = try await Program.swifty("import", "curl -sL -o out https://a.test/")
        #expect(run.status == 0)
        #expect(run.errors == "swifty: not carried over: -s\n")
        #expect(run.output.hasSuffix(#".download(to: "out")\#n"#))
        #expect(run.output.contains("redirects are followed"))
        let input = Data("curl https://a.test/".utf8)
        let whole = try await Program.run("swifty", ["import", "-"], input: input)
        #expect(whole.status == 0)
        #expect(whole.errors.isEmpty)
        let variable = try await Program.swifty("import", #"curl -H "X: $TOKEN" a.test"#)
        #expect(variable.errors.hasPrefix("swifty: not expanded, as the shell would: $TOKEN ("))
        #expect(whole.output.contains("https://a.test"))
    }
}
