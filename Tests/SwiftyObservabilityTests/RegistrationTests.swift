// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#if Observability
import InMemoryTracing
import MetricsTestKit
import Swifty
import SwiftyObservability
import SwiftyTesting
import Testing
import Tracing

@Suite("A hook for metrics or traces that is registered again", .timeLimit(.minutes(15)))
struct RegistrationTests {
    private struct Group: Swifty.HookGroup {
        let hooks: [any Swifty.Hook]
    }

    private let metrics = TestMetrics()
    private let tracer = InMemoryTracer(idGenerator: .incrementing)

    @Test("counts once: on the instance, in a group, and with a request")
    func once() async throws {
        let hooks: [any Swifty.Hook] = [
            HTTPClientMetrics(factory: metrics), HTTPClientTracing(tracer: FieldTracer(base: tracer)),
        ]
        let stub = StubTransport(status: 500)
        let swifty = Swifty(transport: stub) {
            $0.use(hooks)
            $0.use(Group(hooks: hooks))
            $0.admission.circuitBreaker = .init(failures: 1)
        }
        _ = try? await swifty.api.get("x").use(hooks).load()
        #expect(metrics.timers(label: "http.client.request.duration").flatMap(\.values).count == 1)
        #expect(metrics.meters(label: "swifty.circuit.state").flatMap(\.values) == [2])
        #expect(tracer.finishedSpans.count == 1)
        #expect(stub.requests.map { $0.headers.text("baggage") } == ["user=7"])
    }

    @Test("is the same with the same tracer, whatever else it was made with")
    func tracers() {
        let object = ObjectTracer()
        let value = HTTPClientTracing(tracer: tracer)
        #expect(HTTPClientTracing() == HTTPClientTracing(loadSpans: .always))
        #expect(HTTPClientTracing(tracer: object) == HTTPClientTracing(tracer: object, loadSpans: .never))
        #expect(HTTPClientTracing(tracer: object) != HTTPClientTracing(tracer: ObjectTracer()))
        #expect(HTTPClientTracing(tracer: object) != HTTPClientTracing())
        let copy = value
        #expect(value == copy)
        #expect(value != HTTPClientTracing(tracer: InMemoryTracer()))
        #expect(Set([value, copy, HTTPClientTracing()]).count == 2)
    }

    @Test("counts twice if it is another object, or records to another tracer")
    func others() async throws {
        let swifty = Swifty(transport: StubTransport()) {
            $0.use(HTTPClientMetrics(factory: metrics), HTTPClientMetrics(factory: metrics))
            $0.use(HTTPClientTracing(tracer: tracer), HTTPClientTracing(tracer: ObjectTracer()))
        }
        _ = try await swifty.api.get("x").load()
        #expect(metrics.timers(label: "http.client.request.duration").flatMap(\.values).count == 2)
        #expect(tracer.finishedSpans.count == 1)
    }
}
#endif
