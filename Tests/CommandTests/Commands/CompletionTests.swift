// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import TestSupport
import Testing

@testable import SwiftyCommand

@Suite("Completion", .timeLimit(.minutes(15)))
struct CompletionTests {
    @Test(
        "in bash offers the options of a request with and without the word send",
        arguments: [
            ("swifty --chec", "--check-status"), ("swifty :3000/ --chec", "--check-status"),
            ("swifty send --chec", "--check-status"), ("swifty POST :3000/ a=1 --no-f", "--no-follow"),
            ("swifty -v --pre", "--pretty"), ("swifty --pretty for", "format"), ("swifty :1 --verify n", "no"),
            ("swifty -o /etc/hostna", "/etc/hostname"), ("swifty be", "bench"), ("swifty :1 --contin", "--continue"),
            ("swifty :1 --limit", "--limit-rate"),
            ("swifty -T /etc/hostna", "/etc/hostname"),
            ("swifty bench :1 --expe", "--expect-sha256"),
            ("swifty bench --chec", "--check-status"), ("swifty version --outp", "--output"), ("swifty imp", "import"),
            ("swifty exp", "export"), ("swifty serve --mo", "--mocks"), ("swifty :1 --reco", "--record"),
        ]
    )
    func bash(line: String, completion: String) async throws {
        let script = """
            source <('\(Program.products.path)/swifty' --generate-completion-script bash)
            COMP_WORDS=(\(line)); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); COMP_LINE='\(line)'; COMP_POINT=${#COMP_LINE}
            function=$(complete -p swifty | sed 's/.*-F \\([^ ]*\\).*/\\1/')
            "$function" swifty "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
            echo "${COMPREPLY[*]}"
            """
        let run = try await Program.run("/bin/bash", ["-c", script])
        #expect(run.output == "\(completion)\n", "\(run.output)\(run.errors)")
        #expect(run.errors.isEmpty, "\(run.output)\(run.errors)")
    }

    @Test("in every shell inserts send unless a subcommand is named", arguments: ["bash", "zsh", "fish"])
    func addition(name: String) throws {
        let shell = try #require(CompletionShell(rawValue: name))
        let script = CompletionScript.text(for: shell)
        let own = SwiftyCommand.completionScript(for: shell)
        #expect(script.contains("# A request needs no \"send\"."))
        #expect(script.count > own.count)
        for subcommand in ["send", "bench", "batch", "curl", "import", "serve", "export", "version", "help"] {
            #expect(SwiftyCommand.subcommandNames.contains(subcommand))
        }
        #expect(CompletionScript.text(for: ["--generate-completion-script", name]) == script)
        #expect(CompletionScript.text(for: ["--generate-completion-script=\(name)"]) == script)
        #expect(CompletionScript.text(for: ["--generate-completion-script", "tcsh"]) == nil)
        #expect(CompletionScript.text(for: ["--version"]) == nil)
    }
}
