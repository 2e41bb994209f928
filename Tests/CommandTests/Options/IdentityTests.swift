// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyTestServers
import TestSupport
import Testing

@Suite("Redirects, credentials and cookies of swifty", .timeLimit(.minutes(15)))
struct IdentityTests {
    @Test("follow a chain only if requested, and report each of its redirects")
    func redirects() async throws {
        let server = try LoopbackServer()
        let chain = "\(server.url)/redirect/3"
        #expect(try await Program.swifty("--check-status", chain).status == 3)
        let run = try await Program.swifty("--follow", "--output", "json", chain)
        let object = try run.json()
        let redirects = try #require(object["redirects"] as? [[String: Any]])
        #expect(run.status == 0)
        #expect(object["status"] as? Int == 200)
        #expect(redirects.count == 3)
        #expect(redirects.allSatisfy { $0["status"] as? Int == 302 })
        #expect(redirects.last?["url"] as? String == "\(server.url)/get")
        #expect(object["url"] as? String == "\(server.url)/get")
        let bench = ["bench", "--follow", "-n", "5", "-c", "1", "--output", "json", "\(server.url)/redirect/1"]
        #expect(try await Program.run("swifty", bench).json()["connections"] as? Int == 1)
        let exact = try await Program.swifty("--follow", "--max-redirects", "3", chain)
        #expect(exact.status == 0)
    }

    @Test("end with 6 if there are too many")
    func tooMany() async throws {
        let server = try LoopbackServer { server in
            server.route("GET", "/loop") { _ in LoopbackResponse(status: 302, headers: [("Location", "/loop")]) }
        }
        let run = try await Program.swifty(
            "--follow",
            "--max-redirects",
            "2",
            "--output",
            "json",
            "\(server.url)/redirect/3"
        )
        let object = try run.json()
        #expect(run.status == 6)
        #expect((object["error"] as? [String: Any])?["code"] as? String == "tooManyRedirects")
        #expect(object["status"] as? Int == 302)
        #expect((object["redirects"] as? [Any])?.count == 2)
        #expect(try await Program.swifty("--follow", "\(server.url)/loop").status == 6)
    }

    @Test("do not send secrets of the first server to another one")
    func otherOrigin() async throws {
        let other = try LoopbackServer()
        let server = try LoopbackServer { server in
            server.route("GET", "/away") { _ in
                LoopbackResponse(status: 302, headers: [("Location", "\(other.url)/get")])
            }
        }
        let run = try await Program.swifty("--follow", "-a", "u:p", "\(server.url)/away", "X-Api-Key:k", "X-A:1")
        let received = try #require(other.log.requests.last)
        #expect(run.status == 0)
        #expect(server.log.requests.last?["Authorization"] != nil)
        #expect(received["Authorization"] == nil)
        #expect(received["X-Api-Key"] == nil)
        #expect(received["X-A"] == "1")
    }

    @Test("prove a password by Digest, in every subcommand")
    func digest() async throws {
        let server = try LoopbackServer()
        let url = "\(server.url)/digest-auth/auth/u/p"
        let options = ["-a", "u:p", "-A", "digest"]
        #expect(try await Program.run("swifty", options + ["--check-status", url]).status == 0)
        let wrong = try await Program.swifty("-a", "u:x", "-A", "digest", "--check-status", url)
        #expect(wrong.status == 4)
        let bench = try await Program.run(
            "swifty",
            ["bench", url, "-n", "20", "-c", "4", "--output", "json"] + options
        )
        #expect((try bench.json()["statuses"] as? [String: Int]) == ["200": 20], "\(bench.output)\(bench.errors)")
        let lines = Data("{\"url\":\"\(url)\"}\n{\"url\":\"\(url)\"}\n".utf8)
        let batch = try await Program.run("swifty", ["batch"] + options, input: lines)
        #expect(batch.status == 0)
        #expect(batch.output.components(separatedBy: #""status":200,"reason""#).count == 3)
        #expect(server.log.requests.allSatisfy { $0["Authorization"]?.hasPrefix("Basic") != true })
    }

    @Test("prove the password of each line's URL by Digest, to its own origin only")
    func digestOfLines() async throws {
        let server = try LoopbackServer()
        let other = try LoopbackServer { other in
            other.route("GET", "/away") { _ in
                LoopbackResponse(status: 302, headers: [("Location", "\(server.url)/digest-auth/auth/u/p")])
            }
        }
        let urls = [
            server.url.replacing("://", with: "://u:p@") + "/digest-auth/auth/u/p",
            server.url.replacing("://", with: "://v:q@") + "/digest-auth/auth/v/q",
            server.url.replacing("://", with: "://u:x@") + "/digest-auth/auth/u/p",
            other.url.replacing("://", with: "://u:p@") + "/away",
        ]
        let lines = Data(urls.map { "{\"url\":\"\($0)\"}\n" }.joined().utf8)
        let run = try await Program.swifty("batch", "-c", "1", "--follow", "-A", "digest", input: lines)
        let statuses = try run.output.split(separator: "\n").map { line in
            (try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])?["status"] as? Int
        }
        #expect(statuses == [200, 200, 401, 401], "\(run.output)\(run.errors)")
        #expect(server.log.requests.allSatisfy { $0["Authorization"]?.hasPrefix("Basic") != true })
        let away = try #require(server.log.requests.last)
        #expect(away["Authorization"] == nil)
    }

    @Test("prove a password to httpbin by Digest, follow its redirects, and keep its cookies")
    func httpbin() async throws {
        let server = try await PeerServer.httpbin()
        let url = "\(server.url)/digest-auth/auth/u/p"
        #expect(try await Program.swifty("-a", "u:p", "-A", "digest", "--check-status", url).status == 0)
        #expect(try await Program.swifty("-a", "u:x", "-A", "digest", "--check-status", url).status == 4)
        let file = try TemporaryFolder().url.appending(path: "none/c").path
        #expect(try await Program.swifty("--cookies", file, url).status == 23, "the folder does not exist")
        let folder = try TemporaryFolder()
        let jar = folder.url.appending(path: "c").path
        let run = try await Program.swifty("--follow", "--cookies", jar, "\(server.url)/cookies/set?a=1&b=2")
        #expect((try run.json()["cookies"] as? [String: String]) == ["a": "1", "b": "2"])
    }

    @Test("keep cookies for the next load in a file that curl can read")
    func cookies() async throws {
        let server = try LoopbackServer()
        let folder = try TemporaryFolder()
        let jar = folder.url.appending(path: "cookies.txt").path
        #expect(try await Program.swifty("--cookies", jar, "\(server.url)/cookies/set?a=1").status == 0)
        let next = try await Program.swifty("--cookies", jar, "\(server.url)/cookies")
        #expect((try next.json()["cookies"] as? [String: String]) == ["a": "1"])
        let curl = try await Program.run(
            ExternalProgram.path("curl"),
            ["-s", "--cookie", jar, "\(server.url)/cookies"]
        )
        #expect((try curl.json()["cookies"] as? [String: String]) == ["a": "1"])
        let shown = try await Program.swifty("--dry-run", "--show-secrets", "--cookies", jar, "\(server.url)/cookies")
        #expect(shown.output.contains("Cookie: a=1"))
        let bench = ["bench", "--cookies", jar, "\(server.url)/cookies/set?n={n}", "-n", "3", "-c", "1"]
        #expect(try await Program.run("swifty", bench).status == 0)
        #expect(try await Program.swifty("--cookies", jar, "\(server.url)/cookies").output.contains(#""n""#))
        let damaged = try folder.file("damaged", Data("no cookies\n".utf8)).path
        let refused = try await Program.swifty("--cookies", damaged, "\(server.url)/cookies")
        #expect(refused.status == 64, "\(refused.errors)")
        #expect(refused.errors.contains("line 1"), "\(refused.errors)")
    }
}
