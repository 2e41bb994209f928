// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#if Observability
import Foundation
import InMemoryTracing
import MetricsTestKit
import Swifty
import SwiftyObservability
import SwiftyTesting
import TestSupport
import Testing
import Tracing

@Suite("The time of a request whose transfer is another one's", .timeLimit(.minutes(15)))
struct TransferTimeTests {
    private let metrics = TestMetrics()
    private let tracer = InMemoryTracer(idGenerator: .incrementing)

    private func swifty(
        _ transport: any Transport,
        configure: (inout Swifty.Configuration) -> Void = { _ in }
    ) -> Swifty {
        Swifty(transport: transport) {
            $0.use(.metrics(factory: metrics), .tracing(tracer: tracer))
            configure(&$0)
        }
    }

    /// The durations of all requests, in nanoseconds.
    private var durations: [Int64] { metrics.timers(label: "http.client.request.duration").flatMap(\.values) }

    /// A response whose transfer took this long to connect, and as long again to answer.
    private static func response(_ phase: Duration) -> TransportResponse {
        var transfer = TransferMetrics()
        (transfer.connect, transfer.firstByte, transfer.total) = (phase, phase, phase + phase)
        return TransportResponse(head: ResponseHead(statusCode: 200), content: Data(), metrics: transfer)
    }

    @Test("is that since the first of hedged requests, and the phases are those of the one that counts")
    func hedged() async throws {
        let (calls, gate) = (Counter(), Gate())
        let stub = StubTransport { _ in
            if calls.increment() == 1 { await gate.wait() }
            return Self.response(.microseconds(1))
        }
        let swifty = swifty(stub) { $0.hedging = HedgingPolicy(after: .milliseconds(20)) }
        _ = try await swifty.api.get("x").load()
        gate.open()
        #expect(durations.count == 1)
        #expect(durations.allSatisfy { $0 >= 20_000_000 })
        let span = try #require(tracer.finishedSpans.first)
        #expect(span.events.map(\.name) == ["swifty.connect", "swifty.first_byte"])
        let end = span.endInstant.nanosecondsSinceEpoch
        #expect(span.events.map { end - min(end, $0.nanosecondsSinceEpoch) } == [2_000, 1_000])
    }

    @Test("is that since it joined a shared transfer")
    func shared() async throws {
        let gate = Gate()
        let stub = StubTransport { _ in
            await gate.wait()
            return Self.response(.seconds(3_600))
        }
        let swifty = Swifty(transport: stub) {
            $0.use(.metrics(factory: metrics))
            $0.coalesces = true
        }
        let loads = (0..<3).map { _ in Task { try await swifty.api.get("x").load() } }
        try await until { metrics.meters(label: "http.client.active_requests").first?.lastValue == 3 }
        gate.open()
        for load in loads { _ = try await load.value }
        #expect(durations.count == 3)
        #expect(durations.allSatisfy { $0 < 3_600_000_000_000 })
    }

    @Test("includes only the phases since it joined the transfer, within its span")
    func late() async throws {
        _ = try await swifty(StubTransport { _ in Self.response(.seconds(3_600)) }).api.get("x").load()
        let span = try #require(tracer.finishedSpans.first)
        #expect(span.events.map(\.name) == ["swifty.first_byte"])
        let event = try #require(span.events.first)
        #expect(event.nanosecondsSinceEpoch >= span.startInstant.nanosecondsSinceEpoch)
        #expect(event.nanosecondsSinceEpoch <= span.endInstant.nanosecondsSinceEpoch)
        let length = try #require(event.attributes.texts["swifty.duration"].flatMap(Double.init))
        let whole = span.endInstant.nanosecondsSinceEpoch - span.startInstant.nanosecondsSinceEpoch
        #expect(length <= Double(whole) / 1e9)
    }

    @Test("of a stream ends with its content, and the phases begin with the request")
    func stream() async throws {
        let swifty = swifty(StubTransport { _ in Self.response(.nanoseconds(1)) })
        let stream = try await swifty.api.get("x").stream()
        let opened = DefaultTracerClock.now.nanosecondsSinceEpoch
        while DefaultTracerClock.now.nanosecondsSinceEpoch <= opened + 1_000 {}
        for try await _ in stream {}
        #expect(durations.allSatisfy { $0 >= 1_000 })
        let span = try #require(tracer.finishedSpans.first)
        #expect(span.events.allSatisfy { $0.nanosecondsSinceEpoch <= opened })
    }
}
#endif
