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

@Suite("A value that cannot be decoded", .timeLimit(.minutes(15)))
struct DecodingTests {
    private let metrics = TestMetrics()
    private let tracer = InMemoryTracer(idGenerator: .incrementing)

    private var swifty: Swifty {
        Swifty(transport: StubTransport(headers: [.contentType: "application/json"], content: "[1")) {
            $0.use(.metrics(factory: metrics), .tracing(tracer: tracer, loadSpans: .always))
        }
    }

    private var errorTypes: [String?] {
        metrics.timers(label: "swifty.load.duration").map { $0.dimensions.dictionary["error.type"] }
    }

    @Test("is the caller's to see, after a load that has succeeded")
    func afterLoad() async throws {
        let swifty = swifty
        let error = await #expect(throws: SwiftyError.self) { try await swifty.api.get("x").decode([Int].self).load() }
        #expect(error?.code == .decodingFailed)
        #expect(errorTypes == [nil])
        #expect(tracer.finishedSpans.allSatisfy { $0.status == nil })
        #expect(swifty.statistics.succeeded == 1)
    }

    @Test("is the load's failure before a closure that waits")
    func insideOfLoad() async throws {
        let swifty = swifty
        await #expect(throws: SwiftyError.self) {
            try await swifty.api.get("x").decode([Int].self).map { value async throws in value }.load()
        }
        #expect(errorTypes == ["decodingFailed"])
        #expect(tracer.finishedSpans.filter { $0.status?.code == .error }.map(\.kind) == [.internal])
        #expect(swifty.statistics.failed == 1)
    }
}
#endif
