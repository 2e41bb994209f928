// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyTestServers
import TestSupport
import Testing

@testable import SwiftyCommand

@Suite("A named session", .timeLimit(.minutes(15)))
struct NamedSessionTests {
    private func swifty(_ folder: TemporaryFolder, _ arguments: String...) async throws -> Program {
        try await Program.run("swifty", arguments, environment: ["SWIFTY_CONFIG_DIR": folder.url.path])
    }

    private func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test("keeps header fields, login and cookies for its origin alone, and no other can read them")
    func shared() async throws {
        let (server, other, folder) = (try LoopbackServer(), try LoopbackServer(), try TemporaryFolder())
        let first = try await swifty(
            folder,
            "--session",
            "ada",
            "-a",
            "ada:geheim",
            "\(server.url)/cookies/set?theme=dark",
            "X-A:1",
            "X-B:2",
            "If-Match:x",
            "Cookie:own=1"
        )
        #expect(first.status == 0, "\(first.errors)")
        _ = try await swifty(folder, "--session", "ada", "\(server.url)/anything", "X-B:3")
        let sent = try #require(server.log.requests.last)
        #expect(sent["X-A"] == "1")
        #expect(sent["X-B"] == "3")
        #expect(sent["If-Match"] == nil)
        #expect(sent["Authorization"]?.hasPrefix("Basic ") == true)
        #expect(sent["Cookie"] == "theme=dark")
        _ = try await swifty(folder, "--session", "ada", "\(other.url)/anything")
        let foreign = try #require(other.log.requests.last)
        #expect(foreign["X-A"] == nil)
        #expect(foreign["Authorization"] == nil)
        let sessions = folder.url.appending(path: "sessions").path
        #expect(try mode("\(sessions)/ada.json") == 0o600)
        #expect(try mode("\(sessions)/ada.cookies.txt") == 0o600)
        #expect(try mode(sessions) == 0o700)
    }

    @Test("forgets a field that is left out, and is replaced by a login of the arguments")
    func changes() async throws {
        let (server, folder) = (try LoopbackServer(), try TemporaryFolder())
        let url = "\(server.url)/anything"
        _ = try await swifty(folder, "--session", "s", "-a", "tok", url, "X-A:1", "X-B:2")
        _ = try await swifty(folder, "--session", "s", "-a", "new", url, "X-A:")
        #expect(server.log.requests.last?["X-A"] == nil)
        _ = try await swifty(folder, "--session", "s", url)
        let sent = try #require(server.log.requests.last)
        #expect(sent["X-A"] == nil)
        #expect(sent["X-B"] == "2")
        #expect(sent["Authorization"] == "Bearer new")
        _ = try await swifty(folder, "--session", "s", url, "Authorization:Bearer own")
        #expect(server.log.requests.last?["Authorization"] == "Bearer own")
    }

    @Test("is not changed by --session-read-only and by requests that are not sent")
    func readOnly() async throws {
        let (server, folder) = (try LoopbackServer(), try TemporaryFolder())
        let file = folder.url.appending(path: "here/s.json").path
        let url = "\(server.url)/cookies/set?theme=dark"
        #expect(try await swifty(folder, "--session-read-only", file, url, "X-A:1").status == 0)
        #expect(try await swifty(folder, "--dry-run", "--session", file, url, "X-A:1").output.contains("X-A: 1"))
        #expect(try await swifty(folder, "--session", file, "http://127.0.0.1:1/", "X-A:1").status == 7)
        #expect(!FileManager.default.fileExists(atPath: file))
        _ = try await swifty(folder, "--session", file, url, "X-A:1")
        let cookies = folder.url.appending(path: "here/s.cookies.txt").path
        let before = [file, cookies].map { FileManager.default.contents(atPath: $0) }
        #expect(before.allSatisfy { $0?.isEmpty == false })
        _ = try await swifty(folder, "--session-read-only", file, "\(server.url)/cookies/set?a=b", "X-A:2", "X-C:3")
        let sent = try #require(server.log.requests.last)
        #expect(sent["Cookie"] == "theme=dark")
        #expect([file, cookies].map { FileManager.default.contents(atPath: $0) } == before)
    }

    @Test("is hidden by -v like everything else")
    func secrets() async throws {
        let (server, folder) = (try LoopbackServer(), try TemporaryFolder())
        let url = "\(server.url)/anything"
        _ = try await swifty(folder, "--session", "s", "-a", "ada:geheim", url, "X-Api-Key:geheim")
        for option in ["-v", "--dry-run", "--curl"] {
            let run = try await swifty(folder, "--print", "HhB", "--session", "s", option, url)
            #expect(!run.output.contains("geheim"), "\(option): \(run.output)")
            #expect(run.output.contains("REDACTED"))
        }
    }

    @Test("needs a name or a path, and a file that is one", arguments: ["", "..", ".x", "a b", "ä"])
    func names(name: String) throws {
        let folder = try TemporaryFolder()
        #expect(throws: UsageError.self) { try NamedSession(name, folder: folder.url.path, isReadOnly: false) }
        let file = try folder.file("bad.json", Data("[1]".utf8))
        #expect(throws: UsageError.self) { try NamedSession(file.path, folder: "", isReadOnly: false) }
    }
}
