// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite("The helpers of the tests", .timeLimit(.minutes(15)))
struct TestSupportTests {
    @Test("release every waiter of a gate, whenever it is opened", arguments: 0..<100)
    func gate(_: Int) async throws {
        let (gate, released) = (Gate(), Counter())
        let waiters = (0..<8).map { _ in
            Task {
                await gate.wait()
                released.increment()
            }
        }
        gate.open()
        gate.open()
        try await until { released.value == 8 }
        for waiter in waiters { await waiter.value }
        #expect(gate.isOpen)
    }

    @Test("end a wait when its condition is true, and when its task is cancelled", arguments: 0..<100)
    func waiting(_: Int) async throws {
        let recording = Recording<Int>()
        Task.detached { for number in 0..<200 { recording.append(number) } }
        try await until { recording.count == 200 }
        #expect(recording.values == Array(0..<200))
        let endless = Task { try await until { false } }
        endless.cancel()
        await #expect(throws: CancellationError.self) { try await endless.value }
    }

    @Test("fail a wait for a condition that stays false, with its place")
    func vain() async throws {
        let error = await #expect(throws: ConditionTimeoutError.self) { try await until(within: .seconds(1)) { false } }
        #expect(error?.description.contains("TestSupportTests.swift:") == true)
    }

    @Test("hang until their task is cancelled", arguments: 0..<100)
    func hanging(_: Int) async {
        let task = Task { try await hang() }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test("run programs, and report their output, errors and status")
    func program() async throws {
        let run = try await Program.run(
            "/bin/sh",
            ["-c", "cat; echo $A; echo error >&2; exit 3"],
            environment: ["A": "b"]
        )
        #expect(run.status == 3)
        #expect(run.output == "b\n")
        #expect(run.errors == "error\n")
        #expect(try await Program.run("/bin/cat", [], input: Data("input".utf8)).output == "input")
        await #expect(throws: ExternalProgram.Unavailable.self) { try await Program.require("false", []) }
        await #expect(throws: ExternalProgram.Unavailable.self) { try await Program.require("no-such-program", []) }
    }

    @Test("end programs, also those that ignore SIGTERM")
    func termination() async throws {
        let folder = try TemporaryFolder()
        let script = "trap '' TERM; echo ready; while true; do sleep 1; done"
        let process = try ChildProcess("/bin/sh", ["-c", script], output: folder.path("output"))
        try await until { folder.lines("output") == ["ready"] }
        #expect(process.isRunning)
        try await onOwnThread { process.terminate() }
        #expect(kill(process.id, 0) != 0)
    }
}
