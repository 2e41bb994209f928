// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyTesting
import Synchronization
import TestSupport
import Testing

@testable import Swifty

@Suite("The loads of hooks and constraints at a graceful shutdown", .timeLimit(.minutes(15)))
struct InnerLoadTests {
    /// Makes a load through the instance that it is used in, after the gate is open.
    private final class Renewal: Sendable {
        let isReached = Gate()
        let gate = Gate()
        /// The code of the error of each load; `nil` for success.
        let outcomes = Recording<SwiftyError.Code?>()
        private let swifty = Mutex<Swifty?>(nil)

        func belong(to swifty: Swifty) {
            self.swifty.withLock { $0 = swifty }
        }

        func load() async throws {
            isReached.open()
            await gate.wait()
            do throws(SwiftyError) {
                _ = try await swifty.withLock(\.self)?.api.get("token").load()
                outcomes.append(nil)
            } catch {
                outcomes.append(error.code)
                throw error
            }
        }
    }

    private struct Login: AsyncConstraint {
        let renewal: Renewal
        let isDone = Gate()

        func isSatisfied(for resource: NetworkResource) -> Bool { isDone.isOpen }

        func satisfy(for resource: NetworkResource) async throws {
            try await renewal.load()
            isDone.open()
        }
    }

    private struct Signer: RequestInterceptor {
        let renewal: Renewal

        func intercept(resource: NetworkResource) async throws -> NetworkResource {
            try await renewal.load()
            return resource
        }
    }

    /// A hook that starts work which goes on after it.
    private struct Starter: RequestInterceptor {
        let renewal: Renewal

        func intercept(resource: NetworkResource) async throws -> NetworkResource {
            Task { try await renewal.load() }
            return resource
        }
    }

    private static func answer(_ request: NetworkRequest) -> TransportResponse {
        TransportResponse(head: ResponseHead(statusCode: 200), content: Data())
    }

    private func make(
        _ hook: any Swifty.Hook,
        _ renewal: Renewal,
        clock: TestClock = TestClock()
    ) -> (
        Swifty, StubTransport
    ) {
        let stub = StubTransport { Self.answer($0) }
        let swifty = Swifty(transport: stub) {
            $0.clock = clock
            $0.use(hook)
        }
        renewal.belong(to: swifty)
        return (swifty, stub)
    }

    private static let makers: [@Sendable (Renewal) -> any Swifty.Hook] = [
        { Login(renewal: $0) }, { Signer(renewal: $0) },
    ]

    @Test("are accepted for a load in flight, which finishes, while other loads are refused", arguments: 0..<2)
    func accepted(_ maker: Int) async throws {
        let renewal = Renewal()
        let (swifty, stub) = make(Self.makers[maker](renewal), renewal)
        let load = Task { try await swifty.api.get("x").load() }
        await renewal.isReached.wait()
        let shutdown = Task { await swifty.shutdown(graceful: .seconds(20)) }
        try await until { swifty.isShutDown }
        let late = await #expect(throws: SwiftyError.self) { try await swifty.api.get("late").load() }
        #expect(late?.code == .shutdown)
        renewal.gate.open()
        _ = try await load.value
        await shutdown.value
        #expect(stub.requests.map(\.target.path) == ["/token", "/x"])
        #expect(renewal.outcomes.values == [nil])
        #expect(swifty.statistics.inFlight == 0)
    }

    @Test("are accepted in an asynchronous map of a load in flight")
    func mapped() async throws {
        let renewal = Renewal()
        let stub = StubTransport { Self.answer($0) }
        let swifty = Swifty(transport: stub)
        renewal.belong(to: swifty)
        let load = Task { try await swifty.api.get("x").decode(Void.self).map { _ in try await renewal.load() }.load() }
        await renewal.isReached.wait()
        let shutdown = Task { await swifty.shutdown(graceful: .seconds(20)) }
        try await until { swifty.isShutDown }
        renewal.gate.open()
        try await load.value
        await shutdown.value
        #expect(stub.requests.map(\.target.path) == ["/x", "/token"])
    }

    @Test("are marked once, however deep their maps are")
    func nestedMaps() async throws {
        let swifty = Swifty(transport: StubTransport { Self.answer($0) })
        let inner = swifty.api.get("inner").decode(Void.self).map { _ async in HookMark.current.count }
        let outer = swifty.api.get("outer").decode(Void.self).map { _ in
            #expect(HookMark.current.count == 1)
            return try await inner.load()
        }
        #expect(try await outer.load() == 1)
    }

    @Test("are refused after the grace period", arguments: 0..<2)
    func ended(_ maker: Int) async throws {
        let (renewal, clock) = (Renewal(), TestClock())
        let (swifty, stub) = make(Self.makers[maker](renewal), renewal, clock: clock)
        let load = Task { try await swifty.api.get("x").load() }
        await renewal.isReached.wait()
        let shutdown = Task { await swifty.shutdown(graceful: .seconds(20)) }
        try await until { swifty.isShutDown }
        await clock.advance(by: .seconds(20))
        await shutdown.value
        let error = await #expect(throws: SwiftyError.self) { try await load.value }
        #expect(error?.code == .shutdown)
        try await checkRefusal(renewal, swifty)
        #expect(stub.requests.isEmpty)
    }

    /// Lets the hook go on, and expects that its load is refused before it begins.
    private func checkRefusal(_ renewal: Renewal, _ swifty: Swifty) async throws {
        renewal.gate.open()
        try await until { !renewal.outcomes.values.isEmpty }
        #expect(renewal.outcomes.values == [.shutdown])
        #expect(swifty.statistics.started == 1)
    }

    @Test("are refused after a shutdown without a grace period", arguments: 0..<2)
    func immediate(_ maker: Int) async throws {
        let renewal = Renewal()
        let (swifty, stub) = make(Self.makers[maker](renewal), renewal)
        let load = Task { try await swifty.api.get("x").load() }
        await renewal.isReached.wait()
        await swifty.shutdown()
        try await checkRefusal(renewal, swifty)
        let error = await #expect(throws: SwiftyError.self) { try await load.value }
        #expect(error?.code == .shutdown)
        #expect(stub.requests.isEmpty)
    }

    @Test("are refused when no other load is in flight any more")
    func drained() async throws {
        let renewal = Renewal()
        let (swifty, stub) = make(Starter(renewal: renewal), renewal)
        _ = try await swifty.api.get("x").load()
        await renewal.isReached.wait()
        await swifty.shutdown(graceful: .seconds(20))
        try await checkRefusal(renewal, swifty)
        #expect(stub.requests.map(\.target.path) == ["/x"])
    }
}
