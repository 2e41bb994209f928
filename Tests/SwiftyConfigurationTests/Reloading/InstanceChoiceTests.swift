// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#if Configuration
import Foundation
import Swifty
import SwiftyTesting
import Synchronization
import TestSupport
import Testing

@testable import SwiftyConfiguration

@Suite("The instance that a load gets", .timeLimit(.minutes(15)))
struct InstanceChoiceTests {
    /// Loads a token through the interface of a request before each one with the tag `held`.
    private final class TokenFetching: RequestInterceptor {
        let isReached = Gate()
        let gate = Gate()
        /// The code of the error of each token; `nil` for success.
        let outcomes = Recording<SwiftyError.Code?>()
        private let swifty = Mutex<ReloadingSwifty?>(nil)

        func belong(to swifty: ReloadingSwifty?) {
            self.swifty.withLock { $0 = swifty }
        }

        func intercept(resource: NetworkResource) async throws -> NetworkResource {
            guard resource.tags.contains("held"), let swifty = swifty.withLock(\.self) else { return resource }
            isReached.open()
            await gate.wait()
            do throws(SwiftyError) {
                _ = try await BaseResource("https://token.example.com", networkInterface: swifty).get("token").load()
                outcomes.append(nil)
            } catch {
                outcomes.append(error.code)
                throw error
            }
            return resource
        }
    }

    private static func heldLoad(_ reloading: Reloading) -> Task<SwiftyError.Code?, Never> {
        Task {
            do throws(SwiftyError) {
                _ = try await reloading.get().tag("held").load()
                return nil
            } catch {
                return error.code
            }
        }
    }

    /// An instance with a load that an interceptor holds, after a change of the settings.
    private static func reloaded(
        over transport: any Transport,
        _ token: TokenFetching,
        clock: TestClock = TestClock()
    ) async throws -> (Reloading, Task<SwiftyError.Code?, Never>) {
        let reloading = try Reloading(over: transport) {
            $0.clock = clock
            $0.timeouts = NetworkRequest.Timeouts()
            $0.gracePeriod = .seconds(1_000_000_000)
            $0.use(token)
        }
        token.belong(to: reloading.swifty)
        let load = heldLoad(reloading)
        await token.isReached.wait()
        reloading.change(to: 2)
        return (reloading, load)
    }

    @Test("at a graceful shutdown, accepts what the hooks of an earlier instance load, and nothing else")
    func innerLoad() async throws {
        let (stub, token) = (StubTransport(), TokenFetching())
        let (reloading, load) = try await Self.reloaded(over: stub, token)
        let shutdown = Task { await reloading.swifty.shutdown(graceful: .seconds(10)) }
        try await until { reloading.swifty.current.isShutDown }
        #expect(await reloading.loadFailure() == .shutdown)
        token.gate.open()
        #expect(await load.value == nil)
        await shutdown.value
        #expect(token.outcomes.values == [nil])
        #expect(stub.requests.map(\.target.path) == ["/token", "/item"])
        #expect(reloading.swifty.current.statistics.inFlight == 0)
        #expect(await reloading.loadFailure() == .shutdown)
        token.belong(to: nil)
    }

    @Test("at the end of the time of a shutdown, refuses what hooks load")
    func timeLimit() async throws {
        let (stub, token, clock) = (StubTransport(), TokenFetching(), TestClock())
        let (reloading, load) = try await Self.reloaded(over: stub, token, clock: clock)
        let hasEnded = Gate()
        let shutdown = Task {
            await reloading.swifty.shutdown(graceful: .seconds(10))
            hasEnded.open()
        }
        try await until { reloading.swifty.current.isShutDown }
        try await until {
            await clock.advance(by: .seconds(10))
            return hasEnded.isOpen
        }
        await shutdown.value
        #expect(await load.value == .shutdown)
        token.gate.open()
        try await until { token.outcomes.values == [.shutdown] }
        #expect(stub.requests.isEmpty)
        token.belong(to: nil)
    }

    @Test("at a second shutdown without a time, ends everything at once")
    func impatience() async throws {
        let (stub, token) = (StubTransport(), TokenFetching())
        let (reloading, load) = try await Self.reloaded(over: stub, token)
        let shutdown = Task { await reloading.swifty.shutdown(graceful: .seconds(10)) }
        try await until { reloading.swifty.current.isShutDown }
        await reloading.swifty.shutdown()
        await shutdown.value
        #expect(await load.value == .shutdown)
        token.gate.open()
        try await until { token.outcomes.values == [.shutdown] }
        #expect(stub.requests.isEmpty)
        token.belong(to: nil)
    }

    @Test("at a graceful shutdown, ends streams of events at once while hooks of earlier instances go on")
    func events() async throws {
        let (transport, token) = (HeldTransport(type: "text/event-stream"), TokenFetching())
        let (reloading, load) = try await Self.reloaded(over: transport, token)
        let hasBegun = Gate()
        let events = Task {
            for try await _ in reloading.get().events() { hasBegun.open() }
        }
        transport.content.send("data: 1\n\n")
        try await until { hasBegun.isOpen }
        let shutdown = Task { await reloading.swifty.shutdown(graceful: .seconds(10)) }
        _ = await events.result
        #expect(token.outcomes.values.isEmpty)
        transport.open()
        token.gate.open()
        #expect(await load.value == nil)
        await shutdown.value
        #expect(transport.shutdowns == 1)
        token.belong(to: nil)
    }

    @Test("is the next one if its own ends before the load has begun")
    func refused() async throws {
        let stub = StubTransport()
        let reloading = try Reloading(over: stub) { $0.gracePeriod = .zero }
        for version in 2...3 {
            let earlier = reloading.swifty.enter()
            reloading.change(to: version)
            try await until { earlier.swifty.isShutDown }
            let draft = reloading.get().draft
            if version == 2 {
                let response = await reloading.swifty.load(draft, cancellation: LoadCancellation(), in: earlier)
                #expect(response.error == nil)
            } else {
                let stream = try await reloading.swifty.stream(draft, cancellation: LoadCancellation(), in: earlier)
                for try await _ in stream {}
            }
        }
        #expect(stub.requests.map(\.version) == ["2", "3"])
        let last = reloading.swifty.enter()
        await reloading.swifty.shutdown()
        let draft = reloading.get().draft
        let response = await reloading.swifty.load(draft, cancellation: LoadCancellation(), in: last)
        #expect(response.error?.code == .shutdown)
        await #expect(throws: SwiftyError.self) {
            try await reloading.swifty.stream(draft, cancellation: LoadCancellation(), in: last)
        }
    }

    @Test("is its own if the load has begun, even if nothing was sent at the end of the time")
    func ended() async throws {
        let (stub, token) = (StubTransport(), TokenFetching())
        let reloading = try Reloading(over: stub) {
            $0.gracePeriod = .zero
            $0.use(token)
        }
        token.belong(to: reloading.swifty)
        let load = Self.heldLoad(reloading)
        await token.isReached.wait()
        reloading.change(to: 2)
        #expect(await load.value == .shutdown)
        token.belong(to: nil)
        token.gate.open()
        try await until { !token.outcomes.values.isEmpty }
        #expect(!stub.requests.map(\.target.path).contains("/item"))
        await reloading.swifty.shutdown()
    }
}
#endif
