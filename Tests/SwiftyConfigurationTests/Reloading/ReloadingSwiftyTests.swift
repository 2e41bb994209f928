// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#if Configuration
import Configuration
import Foundation
import Swifty
import SwiftyTestServers
import SwiftyTesting
import Synchronization
import Testing

@testable import SwiftyConfiguration

/// A configuration that a test changes, with an instance that reads it.
struct Reloading {
    let provider = MutableInMemoryProvider(initialValues: [["swifty", "defaultHeaders"]: "X-Version: 1"])
    let reports = Reports()
    let swifty: ReloadingSwifty

    init(
        over transport: any Transport,
        unknownKeys: Swifty.UnknownKeys = .ignored,
        configure: (inout Swifty.Configuration) throws -> Void = { _ in }
    ) throws {
        swifty = try ReloadingSwifty(
            reading: ConfigReader(provider: provider),
            unknownKeys: unknownKeys,
            transport: transport,
            report: reports.add,
            configure: configure
        )
    }

    func set(_ key: String, _ value: ConfigValue?) {
        provider.setValue(value, forKey: AbsoluteConfigKey(ConfigKey("swifty.\(key)")))
    }

    /// Changes the version that requests have.
    @discardableResult
    func change(to version: Int) -> ReloadingSwifty.Reload {
        set("defaultHeaders", ConfigValue(.string("X-Version: \(version)"), isSecret: false))
        return swifty.reload()
    }

    func get() -> NetworkResource {
        BaseResource("https://a.example.com", networkInterface: swifty).get("item")
    }

    /// The code of the error of a load; `nil` for a load that succeeds.
    func loadFailure() async -> SwiftyError.Code? {
        do throws(SwiftyError) {
            _ = try await get().load()
            return nil
        } catch {
            return error.code
        }
    }

    /// What became of the readings.
    final class Reports: Sendable {
        private let reports = Mutex<[String]>([])
        var all: [String] { reports.withLock(\.self) }

        func add(_ reload: ReloadingSwifty.Reload) {
            reports.withLock { $0.append("\(reload)") }
        }
    }
}

extension NetworkRequest {
    var version: String? { headers.first { $0.name.canonicalName == "x-version" }?.value }
}

@Suite("An instance that reloads its settings", .timeLimit(.minutes(15)))
struct ReloadingSwiftyTests {
    @Test("sends new loads with new settings, over the same transport")
    func applied() async throws {
        let stub = StubTransport()
        let reloading = try Reloading(over: stub)
        _ = try await reloading.get().load()
        let first = reloading.swifty.current
        #expect("\(reloading.change(to: 2))" == "applied")
        _ = try await reloading.get().load()
        #expect(stub.requests.map(\.version) == ["1", "2"])
        #expect(reloading.swifty.current !== first)
        await reloading.swifty.shutdown()
    }

    @Test("keeps its settings if those of a change cannot be used, and reports why")
    func refused() async throws {
        let stub = StubTransport()
        let reloading = try Reloading(over: stub)
        reloading.set("timeouts.total", "soon")
        reloading.change(to: 2)
        _ = try await reloading.get().load()
        reloading.set("timeouts.total", "5s")
        reloading.swifty.reload()
        _ = try await reloading.get().load()
        #expect(stub.requests.map(\.version) == ["1", "2"])
        let reports = reloading.reports.all
        #expect(reports.count == 2)
        #expect(reports.first?.contains("timeouts.total") == true)
        #expect(reports.last == "applied")
        await reloading.swifty.shutdown()
    }

    @Test("refuses unknown keys at each reading, the first one as well")
    func unknownKeys() async throws {
        let stub = StubTransport()
        let keys = Mutex(["swifty.name"])
        let reloading = try Reloading(over: stub, unknownKeys: .refused(in: .keys { keys.withLock(\.self) }))
        keys.withLock { $0 = ["swifty.nam"] }
        reloading.change(to: 2)
        _ = try await reloading.get().load()
        #expect(stub.requests.map(\.version) == ["1"])
        let reports = reloading.reports.all
        #expect(reports.count == 1)
        #expect(reports.first?.contains("did you mean swifty.name?") == true)
        #expect(throws: Swifty.SettingsError.self) {
            try Reloading(over: StubTransport(), unknownKeys: .refused(in: .keys { ["swifty.nam"] }))
        }
    }

    @Test("calls the closure once, so that all instances have the same hooks and stores")
    func closure() async throws {
        let transport = StubTransport(headers: [.setCookie: "a=1"])
        let calls = Mutex(0)
        let reloading = try Reloading(over: transport) {
            calls.withLock { $0 += 1 }
            $0.cookies = CookieJar()
        }
        _ = try await reloading.get().load()
        reloading.change(to: 2)
        _ = try await reloading.get().load()
        #expect(transport.requests.map { $0.headers[.cookie] } == [nil, "a=1"])
        let count = calls.withLock(\.self)
        #expect(count == 1)
    }

    @Test("stays the same instance if something else has changed")
    func unchanged() throws {
        let reloading = try Reloading(over: StubTransport())
        let first = reloading.swifty.current
        reloading.provider.setValue("x", forKey: ["other", "key"])
        #expect("\(reloading.swifty.reload())" == "unchanged")
        #expect(reloading.swifty.current === first)
        #expect(reloading.reports.all == [])
    }

    @Test("follows a provider that changes until it is shut down")
    func follows() async throws {
        let stub = StubTransport()
        let (changes, changed) = AsyncStream<String>.makeStream()
        let provider = MutableInMemoryProvider(initialValues: [["swifty", "defaultHeaders"]: "X-Version: 1"])
        let swifty = try ReloadingSwifty(
            reading: ConfigReader(provider: provider),
            transport: stub,
            report: { changed.yield("\($0)") }
        )
        let run = Task { try await swifty.run() }
        var outcomes = changes.makeAsyncIterator()
        for version in 2...4 {
            provider.setValue(
                ConfigValue(.string("X-Version: \(version)"), isSecret: false),
                forKey: [
                    "swifty", "defaultHeaders",
                ]
            )
            #expect(await outcomes.next() == "applied")
            _ = try await BaseResource("https://a.example.com", networkInterface: swifty).get("item").load()
        }
        #expect(stub.requests.map(\.version) == ["2", "3", "4"])
        await swifty.shutdown()
        try await run.value
    }

    @Test("stops following when its task is cancelled, and goes on loading")
    func cancelled() async throws {
        let stub = StubTransport()
        let reloading = try Reloading(over: stub)
        let run = Task { try await reloading.swifty.run() }
        run.cancel()
        try await run.value
        _ = try await reloading.get().load()
        #expect(stub.requests.count == 1)
    }

    @Test("follows a provider that never changes until it is shut down")
    func constant() async throws {
        let swifty = try ReloadingSwifty(
            reading: ConfigReader(provider: InMemoryProvider(values: [:])),
            transport: StubTransport()
        )
        let hasEnded = Mutex(false)
        let run = Task {
            try await swifty.run()
            let isExpected = hasEnded.withLock(\.self)
            #expect(isExpected)
        }
        for _ in 0..<100 { await Task.yield() }
        hasEnded.withLock { $0 = true }
        await swifty.shutdown()
        try await run.value
    }

    @Test("keeps the connections of its transport unless the settings of the transport change")
    func connections() async throws {
        let server = try LoopbackServer { $0.serve("/item", Endpoint(Data("item".utf8))) }
        let provider = MutableInMemoryProvider(initialValues: [["swifty", "connections", "maximumPerHost"]: 4])
        let swifty = try ReloadingSwifty(reading: ConfigReader(provider: provider))
        func load() async throws { _ = try await BaseResource(server.url, networkInterface: swifty).get("item").load() }
        try await load()
        provider.setValue("5s", forKey: ["swifty", "timeouts", "total"])
        #expect("\(swifty.reload())" == "applied")
        try await load()
        #expect(server.connectionCount == 1)
        provider.setValue(5, forKey: ["swifty", "connections", "maximumPerHost"])
        #expect("\(swifty.reload())" == "applied")
        try await load()
        #expect(server.connectionCount == 2)
        await swifty.shutdown()
        await server.stop()
    }

    @Test("shares the transport of all programs while its settings are the defaults")
    func shared() throws {
        let provider = MutableInMemoryProvider(initialValues: [:])
        let reader = ConfigReader(provider: provider)
        let source = SettingsSource(reader, at: "swifty", unknownKeys: .ignored, into: ServiceSettings())
        let first = Generation(try source.read().settings.get(), after: nil)
        provider.setValue("1.3", forKey: ["swifty", "tls", "minimumVersion"])
        let second = Generation(try source.read().settings.get(), after: first)
        provider.setValue("5s", forKey: ["swifty", "timeouts", "total"])
        let third = Generation(try source.read().settings.get(), after: second)
        #expect(first.carrier == nil)
        #expect(second.carrier != nil)
        #expect(second.carrier === third.carrier)
    }

    @Test("loses no load while its settings change all the time")
    func busy() async throws {
        let stub = StubTransport()
        let reloading = try Reloading(over: stub)
        let changes = Task.detached { for version in 2...200 { reloading.change(to: version) } }
        let failures = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    var failures = 0
                    for _ in 0..<200 where (try? await reloading.get().load()) == nil { failures += 1 }
                    return failures
                }
            }
            return await group.reduce(0, +)
        }
        await changes.value
        #expect(failures == 0)
        #expect(stub.requests.count == 1600)
        await reloading.swifty.shutdown()
    }
}
#endif
