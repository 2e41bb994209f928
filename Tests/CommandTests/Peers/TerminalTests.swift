// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyTestServers
import TestSupport
import Testing

@Suite("On a terminal, swifty", .timeLimit(.minutes(15)))
struct TerminalTests {
    /// Runs a shell command on a pseudo-terminal, whose output it prints.
    private func onTerminal(_ command: String, environment: [String: String] = [:]) async throws -> Program {
        let python =
            "import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(['/bin/sh', '-c', sys.argv[1]])))"
        let clean = ["NO_COLOR": "", "TERM": "xterm"].merging(environment) { $1 }
        return try await Program.run("/usr/bin/python3", ["-c", python, command], environment: clean)
    }

    private var swifty: String { "'\(Program.products.path)/swifty'" }

    @Test("prints the head, and JSON with colours and indentation")
    func colours() async throws {
        let server = try LoopbackServer { server in
            server.route("GET", "/j") { _ in
                LoopbackResponse(
                    status: 200,
                    headers: [("Content-Type", "application/json")],
                    content: Data(#"{"a":[1]}"#.utf8)
                )
            }
        }
        let run = try await onTerminal("\(swifty) \(server.url)/j")
        #expect(run.status == 0)
        #expect(run.output.contains("\u{1B}[1;32m200 OK\u{1B}[0m"))
        #expect(run.output.contains("    \u{1B}[34m\"a\"\u{1B}[0m: [\r\n        \u{1B}[36m1\u{1B}[0m"))
        let plain = try await onTerminal("\(swifty) \(server.url)/j", environment: ["NO_COLOR": "1"])
        #expect(plain.output.contains("    \"a\": ["))
        #expect(!plain.output.contains("\u{1B}["))
        let piped = try await onTerminal("\(swifty) \(server.url)/j | cat")
        #expect(piped.output == #"{"a":[1]}"#)
    }

    @Test("shows the progress of a download and of a measurement, and removes it")
    func progress() async throws {
        let server = try LoopbackServer()
        let url = server.url
        let download = try await onTerminal("\(swifty) -o /dev/null '\(url)/drip?duration=2&numbytes=20' | cat")
        #expect(download.status == 0)
        #expect(download.output.contains("B/s"))
        #expect(download.output.contains("\r\u{1B}[K"))
        #expect(download.output.contains("[####"))
        #expect(download.output.contains(" left"))
        #expect(download.output.contains("Saved 20 B to /dev/null"))
        let file = try TemporaryFolder()
        let large = try file.file("large", Data(repeating: 1, count: 300_000)).path
        let upload = try await onTerminal("\(swifty) --limit-rate 200K -T \(large) \(url)/put | wc -c")
        #expect(upload.status == 0)
        for part in ["[###", "% ", "/293.0 KiB ", "KiB/s ", " left", "\r\u{1B}[K"] {
            #expect(upload.output.contains(part), "\(upload.output)")
        }
        #expect(!upload.output.contains("Saved"))
        let forced = try await Program.swifty("--progress", "-o", file.path("f"), "\(url)/bytes/1000")
        #expect(forced.errors.contains("Saved 1000 B to "), "\(forced.errors)")
        let bench = try await onTerminal("\(swifty) bench \(url)/ip --duration 1 -c 2 | cat")
        #expect(bench.output.contains(" loads, "))
        #expect(bench.output.contains("p99"))
    }

    @Test("has no colours where the terminal has none, and in a pipe")
    func plain() async throws {
        let server = try LoopbackServer()
        let dumb = try await onTerminal("\(swifty) \(server.url)/json", environment: ["TERM": "dumb"])
        #expect(dumb.output.contains("200 OK"))
        #expect(!dumb.output.contains("\u{1B}"))
        let piped = try await onTerminal("\(swifty) -v \(server.url)/json | cat")
        #expect(!piped.output.contains("\u{1B}"))
        for arguments in ["", "help", "--nonsense", "http://127.0.0.1:1/"] {
            let text = try await onTerminal("\(swifty) \(arguments)").output
            #expect(!text.isEmpty && !text.contains("\u{1B}"), "\(text)")
        }
    }

    @Test("breaks an error between words, and prints its hint below")
    func errors() async throws {
        let run = try await onTerminal("\(swifty) http://127.0.0.1:1/")
        #expect(run.status == 7)
        let lines = run.output.split(whereSeparator: \.isNewline)
        #expect(lines.count <= 5, "\(run.output)")
        #expect(lines.allSatisfy { $0.count <= 80 }, "\(run.output)")
        let hint = "  Is a server listening there? swifty serve --port 3000 starts one for tests."
        #expect(lines.last.map(String.init) == hint, "\(run.output)")
        let piped = try await onTerminal("\(swifty) http://127.0.0.1:1/ 2>&1 | cat")
        #expect(piped.output.split(whereSeparator: \.isNewline).count == 1, "\(piped.output)")
    }

    @Test("does not print bytes that are not text, and does not read standard input")
    func bytes() async throws {
        let server = try LoopbackServer()
        let run = try await onTerminal(
            "\(swifty) POST \(server.url)/bytes/64 ; \(swifty) \(server.url)/bytes/64?seed=1"
        )
        #expect(run.output.contains("(64 bytes that are not text; -o FILE saves them)"), "\(run.output)")
    }
}
