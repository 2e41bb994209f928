// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#if Configuration
import Configuration
import Swifty
import SwiftyTesting
import Synchronization
import TestSupport
import Testing

@testable import SwiftyConfiguration

@Suite("Following the changes of a configuration", .timeLimit(.minutes(15)))
struct FollowingTests {
    /// An instance whose provider changes, with the reports of its readings.
    private final class Followed: Sendable {
        let provider = MutableInMemoryProvider(initialValues: [["swifty", "name"]: "1"])
        let reports = Recording<String>()
        let swifty: ReloadingSwifty

        init() throws {
            swifty = try ReloadingSwifty(
                reading: ConfigReader(provider: provider),
                transport: StubTransport(),
                report: { [reports] in reports.append("\($0)") }
            )
        }

        func run() -> Task<Void, any Error> {
            Task { [swifty] in try await swifty.run() }
        }

        /// Changes a setting, and returns when the change is followed.
        func change(to name: Int) async throws {
            let count = reports.count
            provider.setValue(ConfigValue(.string("\(name)"), isSecret: false), forKey: ["swifty", "name"])
            try await until { self.reports.count > count }
            #expect(reports.values.last == "applied")
            #expect(swifty.current.description.contains("\"\(name)\""))
        }
    }

    @Test("goes on with another run after one was cancelled")
    func again() async throws {
        let followed = try Followed()
        let first = followed.run()
        try await followed.change(to: 2)
        first.cancel()
        try await first.value
        let second = followed.run()
        try await followed.change(to: 3)
        await followed.swifty.shutdown()
        try await second.value
    }

    @Test("goes on in one run while another one is cancelled, at any moment")
    func concurrent() async throws {
        let followed = try Followed()
        let staying = followed.run()
        try await followed.change(to: 2)
        for version in 3...6 {
            let leaving = followed.run()
            for _ in 0..<version { await Task.yield() }
            leaving.cancel()
            try await leaving.value
            try await followed.change(to: version)
        }
        await followed.swifty.shutdown()
        try await staying.value
    }

    @Test("ends in all runs at the shutdown, and in later ones at once")
    func shutdown() async throws {
        let followed = try Followed()
        let runs = (0..<4).map { _ in followed.run() }
        try await followed.change(to: 2)
        await followed.swifty.shutdown()
        for run in runs { try await run.value }
        try await followed.swifty.run()
    }

    @Test("goes on after a run whose provider could not be watched")
    func unwatched() async throws {
        let provider = FickleProvider()
        let reports = Recording<String>()
        let swifty = try ReloadingSwifty(
            reading: ConfigReader(provider: provider),
            transport: StubTransport(),
            report: { reports.append("\($0)") }
        )
        provider.isBroken.withLock { $0 = true }
        await #expect(throws: FickleProvider.Failure.self) { try await swifty.run() }
        provider.isBroken.withLock { $0 = false }
        let run = Task { try await swifty.run() }
        provider.values.setValue("2", forKey: ["swifty", "name"])
        try await until { reports.values == ["applied"] }
        await swifty.shutdown()
        try await run.value
    }

    @Test("forgets the tasks that have ended")
    func forgotten() async throws {
        let signal = EndSignal()
        let tasks = (0..<10).map { _ in Task { await signal.wait() } }
        try await until { signal.waiterCount == 10 }
        for task in tasks.prefix(9) { task.cancel() }
        for task in tasks.prefix(9) { await task.value }
        #expect(signal.waiterCount == 1)
        signal.end()
        for task in tasks { await task.value }
        await signal.wait()
        #expect(signal.waiterCount == 0)
    }
}

/// A provider that cannot be watched for some time.
private final class FickleProvider: ConfigProvider {
    struct Failure: Error {}

    let values = MutableInMemoryProvider(initialValues: [["swifty", "name"]: "1"])
    let isBroken = Mutex(false)

    var providerName: String { "fickle" }

    func value(forKey key: AbsoluteConfigKey, type: ConfigType) throws -> LookupResult {
        try values.value(forKey: key, type: type)
    }

    nonisolated(nonsending) func fetchValue(
        forKey key: AbsoluteConfigKey,
        type: ConfigType
    ) async throws -> LookupResult { try values.value(forKey: key, type: type) }

    nonisolated(nonsending) func watchValue<Return: ~Copyable>(
        forKey key: AbsoluteConfigKey,
        type: ConfigType,
        updatesHandler:
            nonisolated(nonsending) (ConfigUpdatesAsyncSequence<Result<LookupResult, any Error>, Never>) async throws ->
            Return
    ) async throws -> Return {
        try await values.watchValue(forKey: key, type: type, updatesHandler: updatesHandler)
    }

    func snapshot() -> any ConfigSnapshot { values.snapshot() }

    nonisolated(nonsending) func watchSnapshot<Return: ~Copyable>(
        updatesHandler:
            nonisolated(nonsending) (ConfigUpdatesAsyncSequence<any ConfigSnapshot, Never>) async throws -> Return
    ) async throws -> Return {
        if isBroken.withLock(\.self) { throw Failure() }
        return try await values.watchSnapshot(updatesHandler: updatesHandler)
    }
}
#endif
