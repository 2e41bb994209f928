// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@Suite("The help", .timeLimit(.minutes(15)))
struct HelpTests {
    @Test(
        "has examples for every subcommand",
        arguments: ["", "send", "bench", "batch", "curl", "import", "serve", "export", "version"]
    )
    func examples(name: String) async throws {
        let run = try await Program.run("swifty", (name.isEmpty ? [] : [name]) + ["--help"])
        #expect(run.status == 0)
        #expect(run.output.contains("EXAMPLES:"))
        #expect(run.output.contains("USAGE: swifty \(name.isEmpty ? "[METHOD]" : name)"))
    }

    @Test("of the command points to the options of a request")
    func options() async throws {
        for arguments in [["--help"], ["help"], ["-h"]] {
            let help = try await Program.run("swifty", arguments)
            #expect(help.output.contains("swifty send --help"))
            #expect(help.output.contains("--check-status"))
            #expect(help.output.contains("USAGE: swifty [METHOD] URL [ITEM ...]"))
            #expect(help.output.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(help.output)")
        }
        let send = try await Program.swifty("send", "--help")
        for option in ["--check-status", "--quiet", "-X, --request", "FROM CURL AND HTTPIE", "--ignore-stdin"] {
            #expect(send.output.contains(option), "\(option) is missing")
        }
    }

    @Test("includes completions for the shells", arguments: ["bash", "zsh", "fish"])
    func completions(shell: String) async throws {
        let run = try await Program.swifty("--generate-completion-script", shell)
        #expect(run.status == 0)
        #expect(run.output.contains("check-status"))
    }

    @Test("and the version name the libraries")
    func version() async throws {
        #expect(try await Program.swifty("--version").output.hasPrefix("swifty "))
        let text = try await Program.swifty("version").output
        #expect(text.contains("libcurl "))
        #expect(text.contains("CVE-2026-8932"))
        #expect(try await Program.swifty("version", "--output", "json").json()["libcurl"] is String)
    }
}
