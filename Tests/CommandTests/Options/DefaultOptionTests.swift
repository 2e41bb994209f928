// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyTestServers
import TestSupport
import Testing

@testable import SwiftyCommand

@Suite("The defaults file", .timeLimit(.minutes(15)))
struct DefaultOptionTests {
    private func folder(_ text: String) throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try folder.file("config.json", Data(text.utf8))
        return folder
    }

    @Test(
        "has options that come before those of a request",
        arguments: [
            ([":1"], ["--follow", "--timeout=3", ":1"]), (["send", ":1"], ["send", "--follow", "--timeout=3", ":1"]),
            (["--no-follow", ":1"], ["--timeout=3", "--no-follow", ":1"]),
            (["-L", ":1"], ["--timeout=3", "-L", ":1"]),
            (["--timeout", "9", ":1"], ["--follow", "--timeout=3", "--timeout", "9", ":1"]),
            (["--no-defaults", ":1"], [":1"]), (["send", ":1", "--no-defaults"], ["send", ":1"]),
            ([":1", "--", "--no-follow"], ["--follow", "--timeout=3", ":1", "--", "--no-follow"]),
            (["bench", ":1"], ["bench", ":1"]), (["curl", ":1"], ["curl", ":1"]), (["--help"], ["--help"]), ([], []),
            (["send", "--help"], ["send", "--help"]), (["--version"], ["--version"]),
            (["---completion"], ["---completion"]),
        ]
    )
    func order(arguments: [String], completed: [String]) throws {
        let folder = try folder(#"{"defaultOptions": ["--follow", "--timeout=3"]}"#)
        #expect(try DefaultOptions.complete(arguments, folder: folder.url.path) == completed)
        #expect(try DefaultOptions.complete([":1"], folder: "/no/such") == [":1"])
    }

    @Test(
        "is refused with what is wrong",
        arguments: [
            "", "[]", #"{"default_options": []}"#, #"{"defaultOptions": [1]}"#, #"{"defaultOptions": ["x"]}"#, "{}",
        ]
    )
    func mistakes(text: String) throws {
        let folder = try folder(text)
        #expect(throws: UsageError.self) { try DefaultOptions.complete([":1"], folder: folder.url.path) }
        #expect(try DefaultOptions.complete(["--no-defaults", ":1"], folder: folder.url.path) == [":1"])
    }

    @Test("counts for the command, and arguments win")
    func command() async throws {
        let server = try LoopbackServer()
        let folder = try folder(#"{"defaultOptions": ["--follow", "--print=h", "--form"]}"#)
        let environment = ["SWIFTY_CONFIG_DIR": folder.url.path]
        let url = "\(server.url)/redirect/1"
        let run = try await Program.run("swifty", [url], environment: environment)
        #expect(run.output.hasPrefix("HTTP/1.1 200 OK\n"), "\(run.output)\(run.errors)")
        let own = try await Program.run("swifty", ["--no-follow", "--print", "b", url], environment: environment)
        #expect(own.status == 0, "\(own.errors)")
        #expect(!own.output.contains("HTTP/1.1"))
        #expect(server.log.count == 3)
        _ = try await Program.run("swifty", ["\(server.url)/post", "a=1"], environment: environment)
        #expect(server.log.requests.last.map { String(decoding: $0.content, as: UTF8.self) } == "a=1")
        _ = try await Program.run("swifty", ["--data", "[1]", "\(server.url)/post"], environment: environment)
        #expect(server.log.requests.last?["Content-Type"] == "application/json")
        _ = try await Program.run("swifty", ["--json", "\(server.url)/post", "a=1"], environment: environment)
        #expect(server.log.requests.last?["Content-Type"] == "application/json")
        let help = try await Program.run("swifty", ["--version"], environment: environment)
        #expect(help.output.hasPrefix("swifty "))
    }

    @Test("lies in the folder that the environment names")
    func folders() {
        #expect(ConfigurationFolder.path(["SWIFTY_CONFIG_DIR": "/s", "XDG_CONFIG_HOME": "/x", "HOME": "/h"]) == "/s")
        #expect(ConfigurationFolder.path(["XDG_CONFIG_HOME": "/x", "HOME": "/h"]) == "/x/swifty")
        #expect(ConfigurationFolder.path(["XDG_CONFIG_HOME": "x", "HOME": "/h"]) == "/h/.config/swifty")
    }
}
