// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTesting
import TestSupport
import Testing

@Suite("A test clock", .timeLimit(.minutes(15)))
struct TestClockTests {
    private let clock = TestClock()

    @Test("stands still until it is advanced")
    func standsStill() async {
        #expect(clock.now.offset == .zero)
        await clock.advance(by: .seconds(3))
        #expect(clock.now.offset == .seconds(3))
        await clock.advance(to: TestClock.Instant(offset: .seconds(1)))
        #expect(clock.now.offset == .seconds(3))
    }

    @Test("wakes sleepers in the order of their deadlines, each at its own time", arguments: 0..<20)
    func order(_: Int) async throws {
        let log = Recording<(name: Int, time: Duration)>()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for seconds in [3, 1, 2, 9] {
                group.addTask { [clock] in
                    try await clock.sleep(for: .seconds(seconds))
                    log.append((seconds, clock.now.offset))
                }
            }
            await clock.waitForSleepers(4)
            await clock.advance(by: .seconds(5))
            await clock.waitForSleepers(1)
            #expect(clock.sleeperCount == 1)
            await clock.run()
            try await group.waitForAll()
        }
        #expect(log.values.map(\.name) == [1, 2, 3, 9])
        #expect(log.values.map(\.time) == [1, 2, 3, 9].map { .seconds($0) })
    }

    @Test("serves a task that sleeps again within the same duration", arguments: 0..<20)
    func sleepsAgain(_: Int) async throws {
        let task = Task { [clock] in
            for _ in 0..<3 { try await clock.sleep(for: .seconds(1)) }
            return clock.now.offset
        }
        await clock.waitForSleepers(1)
        await clock.advance(by: .seconds(1))
        await clock.waitForSleepers(1)
        await clock.run()
        #expect(try await task.value == .seconds(3))
    }

    @Test("resumes a cancelled sleeper immediately, before and while it sleeps")
    func cancellation() async {
        let task = Task { [clock] in try await clock.sleep(for: .seconds(1)) }
        await clock.waitForSleepers(1)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(clock.sleeperCount == 0)
        let late = Task { [clock] in
            withUnsafeCurrentTask { $0?.cancel() }
            try await clock.sleep(for: .seconds(1))
        }
        await #expect(throws: CancellationError.self) { try await late.value }
        #expect(clock.sleeperCount == 0)
    }

    @Test("does not suspend a task that sleeps for no time")
    func noTime() async throws {
        try await clock.sleep(for: .zero)
        try await clock.sleep(until: clock.now)
    }

    @Test("stops waiting for sleepers when the task is cancelled")
    func observerCancellation() async {
        let task = Task { [clock] in await clock.waitForSleepers(1) }
        task.cancel()
        await task.value
    }

    @Test("works behind an existential, as code under test holds it")
    func existential() async throws {
        let injected: any Clock<Duration> = clock
        let task = Task { try await injected.sleep(for: .seconds(1)) }
        await clock.waitForSleepers(1)
        await clock.run()
        try await task.value
    }
}
