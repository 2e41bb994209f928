// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#if Lifecycle
import Foundation
import Logging
import ServiceLifecycle
import Swifty
import SwiftyLifecycle
import SwiftyTesting
import TestSupport
import Testing

@Suite("A Swifty in a service group", .timeLimit(.minutes(15)))
struct ServiceTests {
    /// What the load of a test waits for, and a transport that waits for it.
    private let gate = Gate()

    private func swifty(
        graceful: Duration = .seconds(600),
        configure: (inout Swifty.Configuration) -> Void = { _ in }
    ) -> (swifty: Swifty, stub: StubTransport) {
        let stub = StubTransport { [gate] request in
            if request.target.path == "/hang" { try await hang() }
            await gate.wait()
            return TransportResponse(head: ResponseHead(statusCode: 200), content: Data("ok".utf8))
        }
        let swifty = Swifty(transport: stub) {
            $0.gracePeriod = graceful
            configure(&$0)
        }
        return (swifty, stub)
    }

    private func group(_ services: any Service...) -> ServiceGroup {
        ServiceGroup(services: services, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    private func load(_ path: String, _ swifty: Swifty) -> Task<String?, any Error> {
        Task {
            try await BaseResource("https://api.example.com", networkInterface: swifty).get("\(path)").load().string
        }
    }

    @Test("gives running loads time, refuses new ones, and ends when the running ones have ended")
    func graceful() async throws {
        let (swifty, stub) = swifty()
        let group = group(swifty)
        let run = Task { try await group.run() }
        let running = load("slow", swifty)
        try await until { stub.requests.count == 1 }
        await group.triggerGracefulShutdown()
        try await until { swifty.isShutDown }
        let late = await #expect(throws: SwiftyError.self) { try await load("late", swifty).value }
        #expect(late?.code == .shutdown)
        gate.open()
        #expect(try await running.value == "ok")
        try await run.value
    }

    @Test("ends what is still running after the grace period")
    func deadline() async throws {
        let clock = TestClock()
        let (swifty, stub) = swifty(graceful: .seconds(5)) { $0.clock = clock }
        let group = group(swifty)
        let run = Task { try await group.run() }
        let running = load("hang", swifty)
        try await until { stub.requests.count == 1 }
        await group.triggerGracefulShutdown()
        await clock.waitForSleepers(1)
        await clock.advance(by: .seconds(5))
        let error = await #expect(throws: SwiftyError.self) { try await running.value }
        #expect(error?.code == .shutdown)
        try await run.value
    }

    @Test("ends everything at once when the group is cancelled")
    func cancellation() async throws {
        let (swifty, stub) = swifty()
        let group = group(swifty)
        let run = Task { try await group.run() }
        let running = load("hang", swifty)
        try await until { stub.requests.count == 1 }
        run.cancel()
        let error = await #expect(throws: SwiftyError.self) { try await running.value }
        #expect(error?.code == .shutdown)
        _ = await run.result
    }

    @Test("does not wait for a hook that hangs")
    func hangingHook() async throws {
        let (swifty, _) = swifty(graceful: .milliseconds(50)) { $0.use(HangingInterceptor()) }
        let group = group(swifty)
        let run = Task { try await group.run() }
        let running = load("x", swifty)
        try await until { swifty.statistics.inFlight == 1 }
        await group.triggerGracefulShutdown()
        _ = await running.result
        try await run.value
        #expect(swifty.statistics.hooksLeftBehind == 1)
    }

    @Test("runs until the group ends, and its loads work meanwhile")
    func running() async throws {
        gate.open()
        let (swifty, _) = swifty()
        let group = group(swifty)
        let run = Task { try await group.run() }
        for _ in 0..<3 { #expect(try await load("x", swifty).value == "ok") }
        await group.triggerGracefulShutdown()
        try await run.value
    }

    @Test("of a service behind it: that one still loads while it shuts down, because it ends first")
    func order() async throws {
        gate.open()
        let (swifty, _) = swifty()
        let outcome = Recording<String>()
        let last = LastLoad { outcome.append((try? await load("last", swifty).value) ?? "refused") }
        let group = group(swifty, last)
        let run = Task { try await group.run() }
        await group.triggerGracefulShutdown()
        try await run.value
        #expect(outcome.values == ["ok"])
    }
}

/// A service that does something at its end.
private struct LastLoad: Service {
    let body: @Sendable () async -> Void

    func run() async throws {
        try? await gracefulShutdown()
        await body()
    }
}

/// Waits for ever, whatever happens.
private struct HangingInterceptor: RequestInterceptor {
    func intercept(resource: NetworkResource) async -> NetworkResource {
        await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
        return resource
    }
}
#endif
