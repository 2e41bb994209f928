// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#if Observability
import Foundation
import InMemoryTracing
import MetricsTestKit
import Swifty
import SwiftyObservability
import SwiftyTestServers
import SwiftyTesting
import TestSupport
import Testing
import Tracing

@Suite("Metrics and spans of a load that its caller ends", .timeLimit(.minutes(15)))
struct EndOfCallerTests {
    private let metrics = TestMetrics()
    private let tracer = InMemoryTracer(idGenerator: .incrementing)

    /// The attributes of the only series of a timer.
    private func attributes(_ label: String) throws -> [String: String] {
        let timers = metrics.timers(label: label)
        #expect(timers.count == 1)
        return try #require(timers.first).dimensions.dictionary
    }

    @Test("have no error type after a response, such as that of a stream which is left early")
    func stream() async throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n"
        let server = try ScriptedServer([.readRequest, .send(Array("\(head)abc".utf8)), .stall])
        let swifty = Swifty { $0.use(.metrics(factory: metrics), .tracing(tracer: tracer, loadSpans: .always)) }
        let stream = try await BaseResource(server.url, networkInterface: swifty).get("x").stream()
        for try await _ in stream { break }
        stream.cancel()
        try await until { tracer.finishedSpans.count == 2 }
        let request = try attributes("http.client.request.duration")
        #expect(request["http.response.status_code"] == "200")
        #expect(request["error.type"] == nil)
        #expect(try attributes("swifty.load.duration")["error.type"] == nil)
        #expect(tracer.finishedSpans.allSatisfy { $0.status == nil && $0.attributes.texts["error.type"] == nil })
    }

    @Test("have it without a response; only the spans' status is none", arguments: [true, false])
    func unanswered(isShutdown: Bool) async throws {
        let stub = StubTransport { _ in
            try await hang()
            return TransportResponse(head: ResponseHead(statusCode: 200), content: Data())
        }
        let swifty = Swifty(transport: stub) {
            $0.use(.metrics(factory: metrics), .tracing(tracer: tracer, loadSpans: .always))
            $0.gracePeriod = .zero
        }
        let load = Task { try await swifty.api.get("x").load() }
        try await until { stub.requests.count == 1 }
        if isShutdown { await swifty.shutdown() } else { load.cancel() }
        _ = await load.result
        let code = isShutdown ? "shutdown" : "cancelled"
        #expect(try attributes("http.client.request.duration")["error.type"] == code)
        #expect(try attributes("swifty.load.duration")["error.type"] == code)
        #expect(tracer.finishedSpans.count == 2)
        #expect(tracer.finishedSpans.allSatisfy { $0.status == nil && $0.attributes.texts["error.type"] == code })
    }
}
#endif
