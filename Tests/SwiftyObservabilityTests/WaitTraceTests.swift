// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#if Observability
import Foundation
import InMemoryTracing
import Swifty
import SwiftyTesting
import TestSupport
import Testing
import Tracing

@testable import SwiftyObservability

@Suite("Traces of waits in which a load fails", .timeLimit(.minutes(15)))
struct WaitTraceTests {
    private let tracer = InMemoryTracer(idGenerator: .incrementing)

    private func swifty(
        _ transport: any Transport = StubTransport(),
        spans: HTTPClientTracing.LoadSpans,
        configure: (inout Swifty.Configuration) -> Void
    ) -> Swifty {
        Swifty(transport: transport) {
            $0.use(.tracing(tracer: tracer, loadSpans: spans))
            configure(&$0)
        }
    }

    @Test(
        "have the wait for admission in the span with the error",
        arguments: [HTTPClientTracing.LoadSpans.never, .always]
    )
    func queue(spans: HTTPClientTracing.LoadSpans) async throws {
        let gate = Gate()
        let stub = StubTransport { _ in
            await gate.wait()
            return TransportResponse(head: ResponseHead(statusCode: 200), content: Data())
        }
        let swifty = swifty(stub, spans: spans) {
            $0.admission.maximumLoads = 1
            $0.admission.queueTimeout = .milliseconds(5)
        }
        let first = Task { try await swifty.api.get("first").load() }
        try await until { stub.requests.count == 1 }
        await #expect(throws: SwiftyError.self) { try await swifty.api.get("second").load() }
        gate.open()
        _ = try await first.value
        let spans = tracer.finishedSpans.filter { $0.operationName == "GET second" }
        #expect(spans.map(\.status?.code) == [.error])
        #expect(spans.map { $0.events.map(\.name) } == [["swifty.queue"]])
        for span in spans { expectInside(span) }
    }

    @Test(
        "have the wait for constraints in the span with the error",
        arguments: [HTTPClientTracing.LoadSpans.never, .always]
    )
    func constraints(spans: HTTPClientTracing.LoadSpans) async throws {
        struct Refusing: AsyncConstraint {
            func isSatisfied(for resource: NetworkResource) -> Bool { false }
            func satisfy(for resource: NetworkResource) async throws {
                try await Task.sleep(for: .milliseconds(5))
                throw SwiftyError(.connectionFailed, stage: .constraint, reason: "no sign-in")
            }
        }
        let swifty = swifty(spans: spans) { $0.use(Refusing()) }
        await #expect(throws: SwiftyError.self) { try await swifty.api.get("x").load() }
        #expect(tracer.finishedSpans.map(\.status?.code) == [.error])
        #expect(tracer.finishedSpans.map { $0.events.map(\.name) } == [["swifty.constraints"]])
        for span in tracer.finishedSpans { expectInside(span) }
    }

    @Test("have no backoff in the wait before it, and begin a span with its waits", arguments: [true, false])
    func backoff(hasLoadSpan: Bool) throws {
        let resource = Swifty(transport: StubTransport()).api.get("x")
        let load = LoadSpan(resource.draft, tracer, hasLoadSpan: hasLoadSpan)
        load.observe(.attemptStarted(1))
        load.observe(.queued)
        load.observe(.retryScheduled(after: .seconds(1)))
        let scheduled = DefaultTracerClock.now.nanosecondsSinceEpoch
        while DefaultTracerClock.now.nanosecondsSinceEpoch <= scheduled {}
        load.observe(.attemptStarted(2))
        load.observe(.finished(NetworkResponse(error: .unanswered)))
        let span = try #require(tracer.finishedSpans.first)
        let event = try #require(span.events.first)
        let length = try #require(event.attributes.texts["swifty.duration"].flatMap(Double.init))
        #expect(event.nanosecondsSinceEpoch + UInt64(length * 1e9) <= scheduled)
        expectInside(span)
    }

    private func expectInside(_ span: FinishedInMemorySpan) {
        for event in span.events {
            #expect(event.nanosecondsSinceEpoch >= span.startInstant.nanosecondsSinceEpoch)
            #expect(event.nanosecondsSinceEpoch <= span.endInstant.nanosecondsSinceEpoch)
        }
    }
}

extension SwiftyError {
    fileprivate static var unanswered: SwiftyError { SwiftyError(.timedOut, stage: .queue, reason: "no time left") }
}
#endif
