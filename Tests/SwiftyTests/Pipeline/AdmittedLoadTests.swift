// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftyTesting
import TestSupport
import Testing

/// Admission as the loads of a `Swifty` see it; its decisions are tested in `Admission/`.
@Suite("An admitted load", .timeLimit(.minutes(15)))
struct AdmittedLoadTests {
    private func policy(_ change: (inout AdmissionPolicy) -> Void) -> AdmissionPolicy {
        var policy = AdmissionPolicy()
        change(&policy)
        return policy
    }

    /// Responds once the gate of the request's path is open.
    private func gatedStub(_ gate: Gate) -> StubTransport {
        StubTransport { request in
            if request.template == "first" { await gate.wait() }
            return TransportResponse(head: ResponseHead(statusCode: 200), content: Data())
        }
    }

    @Test("waits its turn: the more urgent first, also if that changes while it waits")
    func priorities() async throws {
        let gate = Gate()
        let stub = gatedStub(gate)
        let admission = policy { $0.maximumLoadsPerHost = 1 }
        let swifty = Swifty(transport: stub) {
            $0.admission = admission
            $0.sendsPriority = true
        }
        let first = Task { try await swifty.api.get("first").load() }
        try await until { stub.requests.count == 1 }
        let ended = Counter()
        var tasks: [LoadTask] = []
        for (index, priority) in [NetworkRequest.Priority.low, .normal, .high, .veryLow, .veryHigh].enumerated() {
            tasks.append(
                swifty.api.get(String(describing: priority)).priority(priority)
                    .load { (_: NetworkResponse) in ended.increment() }
            )
            try await until { swifty.admissionStatistics.waiting == index + 1 }
        }
        tasks[0].setPriority(.veryHigh)
        gate.open()
        _ = try await first.value
        try await until { ended.value == 5 }
        #expect(stub.requests.map(\.template) == ["first", "veryHigh", "low", "high", "normal", "veryLow"])
        let field = try #require(HTTPField.Name("Priority"))
        #expect(stub.requests.map { $0.headers[field] } == [nil, "u=0", "u=5", "u=1", nil, "u=6"])
    }

    @Test("does not wait for a host that never responds")
    func otherHosts() async throws {
        let stub = StubTransport { request in
            if request.target.host == "stuck" { try await hang() }
            return TransportResponse(head: ResponseHead(statusCode: 200), content: Data())
        }
        let admission = policy {
            $0.maximumLoadsPerHost = 2
            $0.maximumLoads = 4
        }
        let swifty = Swifty(transport: stub) { $0.admission = admission }
        let stuck = (0..<20).map { _ in
            Task { try await BaseResource("https://stuck", networkInterface: swifty).get("first").load() }
        }
        try await until { swifty.admissionStatistics.waiting == 18 }
        for _ in 0..<50 { _ = try await swifty.api.get("x").load() }
        swifty.cancelAllLoads()
        for load in stuck { _ = await load.result }
        #expect(swifty.admissionStatistics.waiting == 0)
        #expect(swifty.admissionStatistics.inFlight == 0)
    }

    @Test("waits while its Swifty is paused, and can be cancelled then; the waiting time is in the metrics")
    func pause() async throws {
        let clock = TestClock()
        let stub = StubTransport()
        let swifty = Swifty(transport: stub) { $0.clock = clock }
        swifty.pause()
        let load = Task { try await swifty.api.get("x").load() }
        let cancelled = Task { try await swifty.api.get("y").load() }
        try await until { swifty.admissionStatistics.waiting == 2 }
        cancelled.cancel()
        let error = await #expect(throws: SwiftyError.self) { try await cancelled.value }
        #expect(error?.code == .cancelled)
        #expect(error?.stage == .queue)
        #expect(error?.sent == .notSent)
        await clock.advance(by: .seconds(3))
        #expect(stub.requests.isEmpty)
        swifty.resume()
        #expect(try await load.value.metrics.admissionTime == .seconds(3))
        #expect(stub.requests.map(\.template) == ["x"])
    }

    @Test("gives up after the queue's time limit, and after its own")
    func timeouts() async throws {
        let clock = TestClock()
        let admission = policy { $0.queueTimeout = .seconds(5) }
        let swifty = Swifty(transport: StubTransport()) {
            $0.admission = admission
            $0.clock = clock
        }
        swifty.pause()
        for (resource, limit) in [
            (swifty.api.get("x"), Duration.seconds(5)), (swifty.api.get("y").timeout(.seconds(2)), .seconds(2)),
        ] {
            let load = Task { try await resource.load() }
            try await until { swifty.admissionStatistics.waiting == 1 }
            await clock.advance(by: limit)
            let error = await #expect(throws: SwiftyError.self) { try await load.value }
            #expect(error?.code == .timedOut)
            #expect(error?.stage == .queue)
            #expect(error?.sent == .notSent)
        }
    }

    @Test("keeps to a rate")
    func rate() async throws {
        let clock = TestClock()
        let stub = StubTransport()
        let admission = policy { $0.rateLimit = AdmissionPolicy.RateLimit(requests: 2, per: .seconds(1), burst: 2) }
        let swifty = Swifty(transport: stub) {
            $0.admission = admission
            $0.clock = clock
        }
        let loads = (0..<6).map { _ in Task { try await swifty.api.get("x").load() } }
        try await until { swifty.admissionStatistics.waiting == 4 }
        for sent in [4, 6] {
            await clock.advance(by: .seconds(1))
            try await until { stub.requests.count == sent }
        }
        for load in loads { _ = try await load.value }
    }

    @Test("does not wait for the pause that another load of the host was asked for, by default", arguments: [429, 503])
    func noHostBackoff(status: Int) async throws {
        let stub = StubTransport { request in
            if request.headers[.authorization] == "Bearer b" {
                return TransportResponse(head: ResponseHead(statusCode: 200), content: Data())
            }
            return TransportResponse(
                head: ResponseHead(statusCode: status, headers: [.retryAfter: "30"]),
                content: Data()
            )
        }
        let swifty = Swifty(transport: stub) { $0.clock = TestClock() }
        let limited = await #expect(throws: SwiftyError.self) { try await swifty.api.get("x").bearer("a").load() }
        #expect(limited?.statusCode == status)
        // The test's clock stands still, so a wait would have no end.
        #expect(try await swifty.api.get("y").bearer("b").load().statusCode == 200)
        #expect(swifty.admissionStatistics.waiting == 0)
    }

    @Test("waits when the host has asked for a pause, also with its retries")
    func hostBackoff() async throws {
        let clock = TestClock()
        let calls = Counter()
        let stub = StubTransport { _ in
            let isBusy = calls.increment() == 1
            let headers: HTTPFields = isBusy ? [.retryAfter: "30"] : [:]
            return TransportResponse(
                head: ResponseHead(statusCode: isBusy ? 503 : 200, headers: headers),
                content: Data()
            )
        }
        let swifty = Swifty(transport: stub) {
            $0.admission.hostBackoff = .seconds(60)
            $0.clock = clock
        }
        let busy = await #expect(throws: SwiftyError.self) { try await swifty.api.get("x").load() }
        #expect(busy?.statusCode == 503)
        let next = Task { try await swifty.api.get("y").load() }
        try await until { swifty.admissionStatistics.waiting == 1 }
        await clock.advance(by: .seconds(29))
        #expect(stub.requests.count == 1)
        await clock.advance(by: .seconds(1))
        _ = try await next.value
    }

    @Test("fails immediately while the circuit of its host is open")
    func circuitBreaker() async throws {
        let clock = TestClock()
        let stub = StubTransport(status: 500)
        let admission = policy {
            $0.circuitBreaker = AdmissionPolicy.CircuitBreaker(failures: 3, openDuration: .seconds(30))
        }
        let swifty = Swifty(transport: stub) {
            $0.admission = admission
            $0.clock = clock
        }
        for _ in 0..<3 { _ = try? await swifty.api.get("x").load() }
        let error = await #expect(throws: SwiftyError.self) { try await swifty.api.get("x").load() }
        #expect(error?.code == .circuitOpen)
        #expect(error?.sent == .notSent)
        #expect(stub.requests.count == 3)
        _ = try? await BaseResource("https://other", networkInterface: swifty).get().load()
        #expect(stub.requests.count == 4)
        await clock.advance(by: .seconds(30))
        _ = try? await swifty.api.get("x").load()
        #expect(stub.requests.count == 5)
    }
}
