// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite("A watched test run", .timeLimit(.minutes(15)))
struct WatchedRunTests {
    /// Runs a shell script as if it was the test runner.
    private func watch(_ script: String, silence: Int = 600) async throws -> (run: Program, log: String) {
        let folder = try TemporaryFolder()
        let watch = Repository.root.appending(path: "Scripts/watch-tests").path
        let arguments = ["--silence", "\(silence)", folder.path("log"), "/bin/sh", "-c", script]
        let run = try await Program.run(watch, arguments)
        return (run, try String(contentsOfFile: folder.path("log"), encoding: .utf8))
    }

    @Test("has the output and the status of its tests", arguments: [0, 3])
    func ends(status: Int) async throws {
        let (run, log) = try await watch("echo one; echo two >&2; exit \(status)")
        #expect(run.output == "one\ntwo\n")
        #expect(log == run.output)
        #expect(run.status == status)
    }

    @Test("that stands still is ended, and names the tests that have not ended")
    func standsStill() async throws {
        let script = #"""
            echo '◇ Test "ends" started.'; echo '◇ Test "waits for what has not started." started.'
            echo '◇ Test "fails" started.'; echo '◇ Test case passing 1 argument a → 1 to "repeats" started.'
            echo '✘ Test "fails" failed after 0.2 seconds with 1 issue.'
            echo '✔ Test "ends" with 2 test cases passed after 0.1 seconds.'
            exec sleep 600
            """#
        let (run, _) = try await watch(script, silence: 1)
        #expect(run.status == 1)
        let end = try #require(run.output.components(separatedBy: "Tests that have not ended:\n").last)
        #expect(end == "  \"waits for what has not started.\"\n")
    }

    @Test("ends with its runner, even if a program that a test has started goes on")
    func leftProgram() async throws {
        let (run, _) = try await watch("sleep 600 & echo $!")
        let left = try #require(run.output.split(separator: "\n").first.flatMap { pid_t($0) })
        #expect(run.status == 0)
        #expect(kill(left, SIGKILL) == 0)
    }
}
