// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite("With other servers, swifty", .timeLimit(.minutes(15)))
struct PeerTests {
    @Test("sends the intended request to httpbin, and prints its response")
    func httpbin() async throws {
        let server = try await PeerServer.httpbin()
        let post = try await Program.swifty("\(server.url)/post", "a=ü", "n:=1.50", "X-Id:7", "q==x")
        let echo = try post.json()
        #expect(post.status == 0)
        #expect((echo["args"] as? [String: String]) == ["q": "x"])
        #expect(echo["data"] as? String == #"{"a":"ü","n":1.50}"#)
        #expect((echo["headers"] as? [String: String])?["X-Id"] == "7")
        let form = try await Program.swifty("--multipart", "\(server.url)/post", "a=1").json()
        #expect((form["form"] as? [String: String]) == ["a": "1"])
        #expect(try await Program.swifty("-a", "u:p", "--check-status", "\(server.url)/basic-auth/u/p").status == 0)
        #expect(try await Program.swifty("-a", "u:x", "--check-status", "\(server.url)/basic-auth/u/p").status == 4)
        let gzip = try await Program.swifty("--output", "json", "\(server.url)/gzip").json()
        #expect((gzip["body"] as? String)?.contains(#""gzipped": true"#) == true)
        let raw = try await Program.swifty("--no-decode", "\(server.url)/gzip", "Accept-Encoding:gzip")
        #expect(raw.bytes.starts(with: [0x1F, 0x8B]))
    }

    @Test("gets exactly nginx's bytes, in one load and in many simultaneous ones")
    func nginx() async throws {
        let content = Data((0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7 >> 3) })
        let server = try await PeerServer.nginx(files: ["file": content]) { port, folder in
            "server { listen 127.0.0.1:\(port); root \(folder); }"
        }
        let run = try await Program.swifty("\(server.url)/file")
        #expect(run.status == 0)
        #expect(run.bytes == content)
        let object = try await Program.swifty("--output", "json", "\(server.url)/file").json()
        let digest = try #require(object["sha256"] as? String)
        let sum = try await Program.run("/usr/bin/sha256sum", ["-"], input: content)
        #expect(sum.output.hasPrefix(digest))
        #expect(object["bodyBytes"] as? Int == content.count)
        let bench = try await Program.swifty(
            "bench",
            "\(server.url)/file",
            "-n",
            "40",
            "-c",
            "8",
            "--expect-sha256",
            digest,
            "--output",
            "json"
        ).json()
        #expect(bench["completed"] as? Int == 40)
        #expect(bench["contentMismatches"] as? Int == 0)
        #expect(bench["bytes"] as? Int == 40 * content.count)
    }
}
