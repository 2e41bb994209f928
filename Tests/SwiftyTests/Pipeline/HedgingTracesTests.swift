// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyTesting
import Synchronization
import TestSupport
import Testing

@testable import Swifty

@Suite("What a hedged request tells", .timeLimit(.minutes(15)))
struct HedgingTracesTests {
    /// Counts the requests that tracers learn of, the first of which waits.
    private final class SlowTracing: Swifty.LoadTracing, Swifty.LoadTracer {
        let sent = Counter()
        let gate = Gate()

        func makeTracer(of load: Swifty.ObservedLoad, mayRepeat: Bool) -> (any Swifty.LoadTracer)? { self }

        func observe(_ event: Swifty.Event) {}

        func send(_ request: NetworkRequest, fields: inout HTTPFields) {
            // Not for longer: this is one of the few threads that all tests share.
            if sent.increment() == 1 { blockUntil(within: .seconds(5)) { gate.isOpen } }
        }

        func receive(_ response: TransportResponse, isComplete: Bool) {}
    }

    @Test("is one request for tracers, even if one of them takes longer than the delay")
    func once() async throws {
        let (tracing, clock, isFirst) = (SlowTracing(), TestClock(), Gate())
        let stub = StubTransport { request in
            if !isFirst.isOpen {
                isFirst.open()
                await untilCancelled()
            }
            return TransportResponse(head: ResponseHead(statusCode: 200), content: Data())
        }
        let swifty = Swifty(transport: stub) {
            $0.clock = clock
            $0.use(tracing)
            $0.hedging = HedgingPolicy(after: .milliseconds(1))
        }
        let load = Task { try await swifty.api.get("x").load() }
        try await until { tracing.sent.value == 1 }
        await clock.advance(by: .seconds(1))
        tracing.gate.open()
        try await until { isFirst.isOpen }
        await clock.advance(by: .seconds(1))
        #expect(try await load.value.metrics.hedges == 1)
        #expect(tracing.sent.value == 1)
        #expect(stub.requests.count == 2)
    }

    /// A transport that ends nothing before its gate opens, even if it is cancelled.
    private final class LingeringTransport: Transport {
        let requests = Counter()
        let gate = Gate()

        func send(
            _ request: NetworkRequest,
            cancellation: LoadCancellation
        ) async throws(SwiftyError) -> TransportResponse {
            requests.increment()
            await gate.wait()
            throw SwiftyError(.cancelled, stage: .firstByte, sent: .maybeSent)
        }

        func shutdown() async {}
    }

    /// Calls a closure when a tracer learns of a request.
    private final class ActingTracing: Swifty.LoadTracing, Swifty.LoadTracer {
        let act = Mutex<@Sendable () -> Void>({})

        func makeTracer(of load: Swifty.ObservedLoad, mayRepeat: Bool) -> (any Swifty.LoadTracer)? { self }

        func observe(_ event: Swifty.Event) {}

        func send(_ request: NetworkRequest, fields: inout HTTPFields) { act.withLock(\.self)() }

        func receive(_ response: TransportResponse, isComplete: Bool) {}
    }

    @Test("is not sent again after its load was cancelled, however long the first request lingers")
    func cancelledWhileTraced() async throws {
        let (tracing, clock, transport, start) = (ActingTracing(), TestClock(), LingeringTransport(), Gate())
        let swifty = Swifty(transport: transport) {
            $0.clock = clock
            $0.use(tracing)
            $0.hedging = HedgingPolicy(after: .milliseconds(1))
        }
        let load = Task {
            await start.wait()
            return try await swifty.api.get("x").load()
        }
        tracing.act.withLock { $0 = { load.cancel() } }
        start.open()
        try await until { transport.requests.value == 1 }
        await clock.advance(by: .seconds(1))
        transport.gate.open()
        let error = await #expect(throws: SwiftyError.self) { try await load.value }
        #expect(error?.code == .cancelled)
        #expect(transport.requests.value == 1)
    }

    @Test("includes the wait of its first request for admission")
    func admission() async throws {
        let (clock, gate, events) = (TestClock(), Gate(), EventNames())
        let stub = StubTransport { request in
            if request.target.path == "/first" { await gate.wait() }
            return TransportResponse(head: ResponseHead(statusCode: 200), content: Data())
        }
        let swifty = Swifty(transport: stub) {
            $0.clock = clock
            $0.admission.maximumLoads = 1
            $0.use(events)
        }
        let hedging = HedgingPolicy(after: .seconds(600))
        let first = Task { try await swifty.api.get("first").load() }
        try await until { stub.requests.count == 1 }
        let second = Task { try await swifty.api.get("second").hedging(hedging).load() }
        try await until { swifty.admissionStatistics.waiting == 1 }
        await clock.advance(by: .seconds(5))
        gate.open()
        _ = try await first.value
        #expect(try await second.value.metrics.admissionTime == .seconds(5))
        #expect(events.queued.value == 1)
    }

    private final class EventNames: Swifty.Observer {
        let queued = Counter()

        func observe(_ event: Swifty.Event, of load: Swifty.ObservedLoad) {
            if case .queued = event { queued.increment() }
        }
    }

    @Test("is not sent with less time than must be left before the caller's deadline")
    func minimumTimeLeft() async throws {
        let (clock, gate) = (TestClock(), Gate())
        let stub = StubTransport { request in
            if request.target.path == "/first" { await gate.wait() }
            return TransportResponse(head: ResponseHead(statusCode: 200), content: Data())
        }
        let swifty = Swifty(transport: stub) {
            $0.clock = clock
            $0.admission.maximumLoads = 1
            $0.minimumTimeLeft = .seconds(2)
            $0.hedging = HedgingPolicy(after: .seconds(600))
        }
        let first = Task { try await swifty.api.get("first").load() }
        try await until { stub.requests.count == 1 }
        let second = Task {
            try await withDeadline(.seconds(10), clock: clock) { try await swifty.api.get("second").load() }
        }
        try await until { swifty.admissionStatistics.waiting == 1 }
        await clock.advance(by: .seconds(9))
        let error = await #expect(throws: SwiftyError.self) { try await second.value }
        #expect(error?.code == .timedOut)
        #expect(error?.sent == .notSent)
        gate.open()
        _ = try await first.value
        #expect(stub.requests.count == 1)
    }

    @Test("is nothing about the time that is left, where loads share the transfer")
    func sharing() async throws {
        let gate = Gate()
        let stub = StubTransport { _ in
            await gate.wait()
            return TransportResponse(head: ResponseHead(statusCode: 200), content: Data())
        }
        let transport = CoalescingTransport(stub)
        let swifty = Swifty(transport: transport) {
            $0.deadlineField = .grpcTimeout
            $0.hedging = HedgingPolicy(after: .seconds(600))
        }
        let loads = [300, 400].map { seconds in
            Task { try await swifty.api.get("x").timeout(.seconds(seconds)).load() }
        }
        try await until { transport.memberCount == 2 }
        gate.open()
        for load in loads { _ = try await load.value }
        #expect(stub.requests.count == 1)
        #expect(stub.requests.allSatisfy { $0.headers[.literal("grpc-timeout")] == nil })
    }
}
