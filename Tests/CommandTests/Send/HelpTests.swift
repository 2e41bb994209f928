// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Testing

@Suite("The help", .timeLimit(.minutes(15)))
struct HelpTests {
    @Test("has examples for every subcommand", arguments: ["", "send", "bench", "batch", "import", "serve", "version"])
    func examples(name: String) async throws {
        let run = try await Program.run("swifty", (name.isEmpty ? [] : [name]) + ["--help"])
        #expect(run.status == 0 && run.output.contains("EXAMPLES:") && run.output.contains("USAGE: swifty \(name)"))
    }

    @Test("comes with completions for the shells", arguments: ["bash", "zsh", "fish"])
    func completions(shell: String) async throws {
        let run = try await Program.swifty("--generate-completion-script", shell)
        #expect(run.status == 0 && run.output.contains("check-status"))
    }

    @Test("and the version name the parts")
    func version() async throws {
        #expect(try await Program.swifty("--version").output.hasPrefix("swifty "))
        let text = try await Program.swifty("version").output
        #expect(text.contains("libcurl ") && text.contains("CVE-2026-8932"))
        #expect(try await Program.swifty("version", "--output", "json").json()["libcurl"] is String)
    }
}
