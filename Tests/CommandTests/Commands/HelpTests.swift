// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import SwiftyCommand

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
            #expect(help.output.contains("  bash  source <(swifty --generate-completion-script bash)\n"))
            #expect(help.output.contains("  zsh   source <(swifty --generate-completion-script zsh)\n"))
            #expect(help.output.contains("  fish  swifty --generate-completion-script fish | source\n"))
            #expect(help.output.contains("  swifty --generate-manual | man -l -\n"))
            #expect(help.output.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(help.output)")
        }
        let send = try await Program.swifty("send", "--help")
        for option in ["--check-status", "--quiet", "-X, --request", "FROM CURL AND HTTPIE", "--ignore-stdin"] {
            #expect(send.output.contains(option), "\(option) is missing")
        }
    }

    @Test(
        "fits 80 columns, with examples that fit them too",
        arguments: ["send", "bench", "batch", "curl", "import", "serve", "export", "version"]
    )
    func width(name: String) async throws {
        let run = try await Program.swifty(name, "--help")
        #expect(run.output.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(run.output)")
        let command = try CommandDescription.swifty().subcommands?.first { $0.commandName == name }
        let discussion = try #require(command?.discussion)
        for section in HelpText(discussion).sections where section.title == "EXAMPLES" {
            for case .examples(let lines) in section.blocks {
                // A manual page indents them by seven.
                #expect(lines.allSatisfy { $0.count <= 73 }, "\(lines)")
            }
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
