// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyTesting
import TestSupport
import Testing

/// A hook of a critical load that makes an ordinary one through the same `Swifty`.
private struct Nested: RequestInterceptor {
    let box: Box

    func intercept(resource: NetworkResource) async throws -> NetworkResource {
        try await box.swifty?.api.get("nested").load()
        return resource
    }
}

@Suite("The precedence of loads", .timeLimit(.minutes(15)))
struct LoadPrecedenceTests {
    /// A transport whose requests to some paths wait for gates.
    private func stub(_ gates: [String: Gate]) -> StubTransport {
        StubTransport { request in
            await gates[request.target.path]?.wait()
            return TransportResponse(head: ResponseHead(statusCode: 200), content: Data())
        }
    }

    private func paths(_ stub: StubTransport) -> [String] { stub.requests.map(\.target.path) }

    @Test("has all others wait for a critical load, and not those that have begun")
    func critical() async throws {
        let gates = ["/critical": Gate(), "/begun": Gate()]
        let stub = stub(gates)
        let swifty = Swifty(transport: stub) { $0.use(LoadPrecedence()) }
        async let begun = swifty.api.get("begun").load()
        try await until { paths(stub) == ["/begun"] }
        async let critical = swifty.api.get("critical").precedence(.critical).load()
        try await until { paths(stub).count == 2 }
        async let other = swifty.api.get("other").load()
        async let second = swifty.api.get("second").precedence(.critical).load()
        _ = try await second
        try await until { swifty.statistics.inFlight == 3 }
        #expect(!paths(stub).contains("/other"))
        gates["/begun"]?.open()
        _ = try await begun
        #expect(!paths(stub).contains("/other"))
        gates["/critical"]?.open()
        _ = try await (critical, other)
        #expect(paths(stub).last == "/other")
    }

    @Test("has deferrable loads wait until nothing else is in flight, also if that waits for a critical load")
    func deferrable() async throws {
        let gates = ["/critical": Gate(), "/ordinary": Gate()]
        let stub = stub(gates)
        let swifty = Swifty(transport: stub) { $0.use(LoadPrecedence(deferralLimit: .seconds(900))) }
        async let critical = swifty.api.get("critical").precedence(.critical).load()
        try await until { paths(stub) == ["/critical"] }
        async let deferrables = swifty.batch((0..<3).map { swifty.api.get("d\($0)").precedence(.deferrable) })
        async let ordinary = swifty.api.get("ordinary").load()
        try await until { swifty.statistics.inFlight == 5 }
        gates["/critical"]?.open()
        _ = try await critical
        try await until { paths(stub) == ["/critical", "/ordinary"] }
        gates["/ordinary"]?.open()
        _ = try await ordinary
        #expect(await deferrables.allSatisfy { (try? $0.get()) != nil })
        #expect(paths(stub).count == 5)
    }

    @Test("has deferrable loads begin in any case after their limit, all at once")
    func limit() async throws {
        let gates = ["/ordinary": Gate()]
        let stub = stub(gates)
        let clock = TestClock()
        let swifty = Swifty(transport: stub) { $0.use(LoadPrecedence(deferralLimit: .seconds(60), clock: clock)) }
        async let ordinary = swifty.api.get("ordinary").load()
        try await until { paths(stub) == ["/ordinary"] }
        async let results = swifty.batch((0..<5).map { swifty.api.get("d\($0)").precedence(.deferrable) })
        await clock.waitForSleepers(1)
        try await until { swifty.statistics.inFlight == 6 }
        #expect(paths(stub) == ["/ordinary"])
        await clock.advance(by: .seconds(60))
        #expect(await results.allSatisfy { (try? $0.get()) != nil })
        gates["/ordinary"]?.open()
        _ = try await ordinary
    }

    @Test("lets no deferrable load pass because another one was cancelled")
    func cancelledDeferral() async throws {
        let gates = ["/ordinary": Gate()]
        let stub = stub(gates)
        let clock = TestClock()
        let swifty = Swifty(transport: stub) { $0.use(LoadPrecedence(deferralLimit: .seconds(60), clock: clock)) }
        async let ordinary = swifty.api.get("ordinary").load()
        try await until { paths(stub) == ["/ordinary"] }
        let cancelled = Task { try await swifty.api.get("cancelled").precedence(.deferrable).load() }
        await clock.waitForSleepers(1)
        cancelled.cancel()
        _ = await cancelled.result
        try await until { clock.sleeperCount == 0 }
        async let waiting = swifty.api.get("waiting").precedence(.deferrable).load()
        await clock.waitForSleepers(1)
        #expect(paths(stub) == ["/ordinary"])
        gates["/ordinary"]?.open()
        _ = try await (ordinary, waiting)
        #expect(paths(stub) == ["/ordinary", "/waiting"])
    }

    @Test("is left by a load that waits longer than its own limit, and by a cancelled one")
    func failures() async throws {
        let gates = ["/critical": Gate()]
        let stub = stub(gates)
        let swifty = Swifty(transport: stub) { $0.use(LoadPrecedence()) }
        async let critical = swifty.api.get("critical").precedence(.critical).load()
        try await until { paths(stub) == ["/critical"] }
        let error = await #expect(throws: SwiftyError.self) {
            try await swifty.api.get("other").timeout(.milliseconds(100)).load()
        }
        #expect(error?.code == .timedOut)
        #expect(error?.stage == .constraint)
        let task = Task { try await swifty.api.get("cancelled").load() }
        task.cancel()
        #expect(await #expect(throws: SwiftyError.self) { try await task.value }?.code == .cancelled)
        gates["/critical"]?.open()
        _ = try await critical
        try await swifty.api.get("after").load()
        #expect(paths(stub) == ["/critical", "/after"])
    }

    @Test("does not hold what a hook of a critical load makes")
    func nested() async throws {
        let box = Box()
        let stub = stub([:])
        let swifty = Swifty(transport: stub) { $0.use(LoadPrecedence()) }
        box.swifty = swifty
        try await swifty.api.get("critical").use(Nested(box: box)).precedence(.critical).load()
        #expect(paths(stub) == ["/nested", "/critical"])
        box.swifty = nil
    }

    @Test("does not hold what an asynchronous map of a critical load makes")
    func mapped() async throws {
        let stub = stub([:])
        let swifty = Swifty(transport: stub) { $0.use(LoadPrecedence()) }
        try await swifty.api.get("critical").precedence(.critical).decode(Void.self).map { [swifty] _ in
            _ = try await swifty.api.get("nested").load()
        }.load()
        #expect(paths(stub) == ["/critical", "/nested"])
    }

    @Test("counts a load once if it is added twice")
    func addedTwice() async throws {
        let stub = stub([:])
        let precedence = LoadPrecedence(deferralLimit: .seconds(900))
        let swifty = Swifty(transport: stub) {
            $0.use(precedence)
            $0.use(precedence)
        }
        try await swifty.api.get("critical").precedence(.critical).load()
        try await swifty.api.get("ordinary").load()
        try await swifty.api.get("deferrable").precedence(.deferrable).load()
        #expect(paths(stub) == ["/critical", "/ordinary", "/deferrable"])
    }

    @Test("is that of the beginning of a load, whatever its retry policy makes of the request")
    func changed() async throws {
        let count = Counter()
        let stub = StubTransport { _ in
            TransportResponse(head: ResponseHead(statusCode: count.increment() == 1 ? 503 : 200), content: Data())
        }
        let swifty = Swifty(transport: stub) { $0.use(LoadPrecedence(deferralLimit: .seconds(900))) }
        let policy = RetryPolicy(maximumAttempts: 2) { context in
            context.statusCode == 503 ? .retry(after: .zero) { $0.precedence(.critical) } : context.proposal
        }
        try await swifty.api.get("x").retry(policy).load()
        // Nothing is left in flight, which these would wait for.
        try await swifty.api.get("x").precedence(.deferrable).load()
        try await swifty.api.get("x").load()
        #expect(stub.requests.count == 4)
    }
}
