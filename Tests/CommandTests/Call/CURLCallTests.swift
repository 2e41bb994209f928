// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import SwiftyTestServers
import TestSupport
import Testing

@testable import SwiftyCommand

@Suite("swifty curl", .timeLimit(.minutes(15)))
struct CURLCallTests {
    /// The facts of a request that two programs are compared by.
    private static func facts(_ request: RecordedRequest?) -> [String] {
        guard let request else { return [] }
        let names = [
            "Content-Type", "Content-Length", "Accept", "Accept-Encoding", "Authorization", "Cookie", "Referer",
            "Range",
            "X-A", "X-B", "Host",
        ]
        // A request without content may say so, and curl joins cookies with or without a blank.
        let fields = names.map { name in
            let value = name == "Content-Length" && request.content.isEmpty ? "0" : request[name] ?? "-"
            return "\(name): \(name == "Cookie" ? value.replacing("; ", with: ";") : value)"
        }
        return ["\(request.method) \(request.target)"] + fields + [String(decoding: request.content, as: UTF8.self)]
    }

    @Test(
        "sends what curl sends",
        arguments: [
            [], ["-sS"], ["-X", "PUT"], ["-XDELETE"], ["-I"], ["-d", "a=1"], ["-d", "a=1", "-d", "b=x y"],
            ["-d", "{\"a\":1}"], ["-d", "{\"a\":1}", "-H", "Content-Type: application/json"], ["-d", ""],
            ["--data-raw", "@x"], ["--data-binary", "@FILE"], ["-d", "@FILE"], ["-d", "a=1", "-d", "@FILE"],
            ["--data-urlencode", "a=x y&z"], ["--data-urlencode", "a@FILE"], ["--data-urlencode", "=x y"],
            ["--json", "{\"a\":1}"], ["--json", "{\"a\":", "--json", "1}"], ["--json", "a", "-d", "b"],
            ["-d", "a", "--json", "b"], ["-G", "-d", "a=1", "-d", "b=2"],
            ["-G", "--data-urlencode", "q=x y"], ["-X", "GET", "-d", "{}"], ["-H", "X-A: 1", "-HX-B:2"],
            ["-H", "X-A;"], ["-H", "Accept:"], ["-H", "Accept: a/b"], ["-H", "Host: other.test"], ["-u", "ada:pass"],
            ["-b", "a=1; b=2"], ["-b", "a=1", "-b", "b=2"], ["-e", "http://r.test/"], ["-r", "0-9"], ["-T", "FILE"],
            ["--oauth2-bearer", "tok"], ["-H", "X-A: =x", "-H", "X-B: a\\:b@c"], ["--url-query", "q=x y"],
            ["-d", "a=1", "-H", "Content-Type:"], ["--compressed", "-H", "Accept-Encoding: gzip"], ["-L", "-k", "-g"],
        ]
    )
    func equal(arguments: [String]) async throws {
        let server = try LoopbackServer()
        let folder = try TemporaryFolder()
        let file = try folder.file("f.txt", Data("one\ntwo\n".utf8)).path
        let words = arguments.map { $0.replacing("FILE", with: file) } + ["\(server.url)/anything"]
        try await Program.require("curl", ["-s", "-o", "/dev/null"] + words)
        let expected = Self.facts(server.log.requests.last)
        server.log.clear()
        let run = try await Program.run("swifty", ["curl"] + words)
        #expect(run.status == 0, "\(run.errors)")
        #expect(Self.facts(server.log.requests.last) == expected, "\(run.errors)")
    }

    @Test("sends a form with its texts and files")
    func forms() async throws {
        let server = try LoopbackServer()
        let folder = try TemporaryFolder()
        let file = try folder.file("f.txt", Data("one".utf8)).path
        let parts = ["-F", "a==1", "-F", "b=x@y\\z", "-F", "f=@\(file)", "-F", "t=<\(file)", "--form-string", "c=@d"]
        let run = try await Program.run("swifty", ["curl"] + parts + ["\(server.url)/post"])
        let echo = try run.json()
        #expect(
            echo["form"] as? [String: String] == ["a": "=1", "b": "x@y\\z", "t": "one", "c": "@d"],
            "\(run.errors)"
        )
        #expect(echo["files"] as? [String: String] == ["f": "one"])
    }

    @Test("prints what curl prints, and takes standard input only if it is named")
    func output() async throws {
        let server = try LoopbackServer()
        let url = "\(server.url)/anything"
        let body = try await Program.run("swifty", ["curl", url], input: Data("unread".utf8))
        #expect(server.log.requests.last?.method == "GET")
        #expect(body.errors.isEmpty)
        #expect(try body.json()["method"] as? String == "GET")
        _ = try await Program.run("swifty", ["curl", "-d", "@-", url], input: Data("a=1".utf8))
        #expect(server.log.requests.last.map { String(decoding: $0.content, as: UTF8.self) } == "a=1")
        let head = try await Program.swifty("curl", "-i", url)
        #expect(head.output.hasPrefix("HTTP/1.1 200 OK\n"))
        let verbose = try await Program.swifty("curl", "-v", "-L", "\(server.url)/redirect/1")
        #expect(verbose.output.contains("GET /redirect/1 HTTP/1.1"))
        let folder = try TemporaryFolder()
        let path = folder.url.appending(path: "f").path
        #expect(try await Program.swifty("curl", "-so", path, url).output.isEmpty)
        #expect(FileManager.default.fileExists(atPath: path))
        #expect(try await Program.swifty("curl", "-f", "\(server.url)/status/404").status == 4)
        let noted = try await Program.swifty("curl", "-w", "%{http_code}", "--trace", "t", url)
        #expect(noted.errors == "swifty: not carried over: -w %{http_code}, --trace t\n")
    }

    @Test(
        "becomes arguments of send",
        arguments: [
            ("a.test", ["--proxy-env", "--ignore-stdin", "--body", "--", "http://a.test", "Accept-Encoding:"]),
            (
                "--compressed -x p:1 -U u:p a.test",
                ["--proxy=http://u:p@p:1", "--ignore-stdin", "--body", "--", "http://a.test"]
            ),
            ("--compressed --noproxy * -m 0 a.test", ["--ignore-stdin", "--body", "--", "http://a.test"]),
            (
                "--compressed --noproxy * -L --max-redirs -1 -c j -b j a.test",
                ["--follow", "--max-redirects=1000", "--cookies=j", "--ignore-stdin", "--body", "--", "http://a.test"]
            ),
            (
                "--compressed --noproxy * --socks5-hostname p -C - -o f a.test",
                ["-o", "f", "--proxy=socks5h://p", "--ignore-stdin", "--", "http://a.test"]
            ),
        ] as [(String, [String])]
    )
    func arguments(line: String, arguments: [String]) throws {
        let call = try CURLCall(line.split(separator: " ").map(String.init))
        #expect(call.arguments.filter { $0 != "--continue" } == arguments)
    }

    @Test(
        "refuses what would be another request",
        arguments: [
            "", "a.test b.test", "--next a.test", "-K f a.test", "--connect-to a:1:b:2 a.test", "-n a.test",
            "-u ada a.test", "--nonsense a.test", "a.test/{a,b}", "a.test/[1-3]", "-F a=1 -d b a.test",
            "-F f=@a;type=b/c a.test", "-b j -c k a.test", "--ntlm a.test", "-z now a.test", "-d @/no/such a.test",
        ]
    )
    func refused(line: String) {
        #expect(throws: UsageError.self) {
            let call = try CURLCall(line.split(separator: " ").map(String.init))
            _ = try Send.parse(call.arguments)
        }
    }

    @Test("knows every option of curl: each is carried over, named or refused")
    func table() async throws {
        for option in try await CURLHelp.options() where !["help", "manual", "version"].contains(option.name) {
            let value = option.takesValue ? [CURLHelp.sample(option.name)] : []
            guard let call = try? CURLCall(["--\(option.name)"] + value + ["--url", "https://a.test/"]) else {
                continue
            }
            #expect(call.arguments.contains { $0.hasPrefix("https://a.test/") }, "\(option.name)")
        }
    }
}
