// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyTestServers
import TestSupport
import Testing

@Suite("swifty leaves out, or sends, what it is told to:", .timeLimit(.minutes(15)))
struct DefaultFieldTests {
    @Test(
        "a default field with a name and a colon alone",
        arguments: [
            (["User-Agent:"], "User-Agent"), (["Accept:"], "Accept"), (["accept-encoding:"], "Accept-Encoding"),
            (["-H", "Accept:"], "Accept"), (["--json", "Accept:", "a=1"], "Accept"),
            (["Content-Type:", "a=1"], "Content-Type"),
        ]
    )
    func removed(items: [String], name: String) async throws {
        let server = try LoopbackServer()
        let run = try await Program.run("swifty", ["\(server.url)/anything"] + items)
        #expect(run.status == 0, "\(run.errors)")
        let sent = try #require(server.log.requests.last)
        #expect(sent[name] == nil)
        for other in ["User-Agent", "Accept", "Accept-Encoding"] where other != name { #expect(sent[other] != nil) }
        let dry = try await Program.run("swifty", ["--dry-run", "\(server.url)/anything"] + items)
        #expect(!dry.output.contains("\n\(name): "), "\(dry.output)")
    }

    @Test("content with GET by --allow-content, and a hint without it")
    func content() async throws {
        let server = try LoopbackServer()
        let words = ["GET", "\(server.url)/anything", "query[match]=x"]
        let refused = try await Program.run("swifty", words)
        #expect(refused.status == 64)
        #expect(refused.errors.contains("--allow-content sends the content."))
        let run = try await Program.run("swifty", ["--allow-content"] + words)
        #expect(run.status == 0)
        let sent = try #require(server.log.requests.last)
        #expect(sent.method == "GET")
        #expect(String(decoding: sent.content, as: UTF8.self) == #"{"query":{"match":"x"}}"#)
        let curl = try await Program.run("swifty", ["--curl", "--allow-content"] + words)
        #expect(curl.output.hasPrefix("curl -X 'GET' "))
    }

    @Test("the login of the URL, as --auth", arguments: [[], ["-A", "digest"]])
    func login(options: [String]) async throws {
        let server = try LoopbackServer()
        let path = options.isEmpty ? "basic-auth/ada/pass" : "digest-auth/auth/ada/pass"
        let url = "\(server.url)/\(path)".replacing("http://", with: "http://ada:pass@")
        let run = try await Program.run("swifty", ["--check-status", url] + options)
        #expect(run.status == 0, "\(run.errors)")
        #expect(!run.errors.contains("pass"))
        let line = #"{"url":"\#(url)"}"#
        let batch = try await Program.run("swifty", ["batch", "--check-status", "-"], input: Data(line.utf8))
        #expect(batch.status == (options.isEmpty ? 0 : 4), "\(batch.output)\(batch.errors)")
    }

    @Test("hints for what curl and HTTPie would take")
    func hints() async throws {
        let folder = try TemporaryFolder()
        let jar = try folder.file("jar.txt", Data()).path
        let cookies = try await Program.swifty("-b", jar, ":1/cookies")
        #expect(cookies.errors.contains("Did you mean --cookies \(jar)?"), "\(cookies.errors)")
        let all = try await Program.swifty("--all", "--dry-run", ":1/x")
        #expect(all.status == 0)
    }

    @Test("JSON behind a byte order mark is formatted")
    func mark() async throws {
        let server = try LoopbackServer { server in
            server.route("GET", "/bom") { _ in
                LoopbackResponse(
                    status: 200,
                    headers: [("Content-Type", "application/json")],
                    content: Data("\u{FEFF}{\"a\":1}".utf8)
                )
            }
        }
        let run = try await Program.swifty("--pretty", "format", "\(server.url)/bom")
        #expect(run.output == "{\n    \"a\": 1\n}")
        #expect(try await Program.swifty("\(server.url)/bom").bytes.starts(with: [0xEF, 0xBB, 0xBF]))
    }
}
