// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#if Observability
import Foundation
import InMemoryTracing
import Swifty
import SwiftyObservability
import SwiftyTesting
import TestSupport
import Testing

@Suite("What servers are told about a trace", .timeLimit(.minutes(15)))
struct InjectionTests {
    private let tracer = InMemoryTracer(idGenerator: .incrementing)

    /// Redirects from `/x` to another origin, from there back to `/back`, and says 503 there the first time.
    private static func redirecting() -> StubTransport {
        let calls = Counter()
        return StubTransport { request in
            let location: String? =
                switch "\(request.target.host)\(request.target.path)" {
                case "api.example.com/x": "/local"
                case "api.example.com/local": "https://other.example.com/y"
                case "other.example.com/y": "https://api.example.com/back"
                default: nil
                }
            let headers: HTTPFields = location.map { [.location: $0] } ?? [:]
            let status = location != nil ? 302 : calls.increment() == 1 ? 503 : 200
            return TransportResponse(head: ResponseHead(statusCode: status, headers: headers), content: Data())
        }
    }

    @Test("is the trace alone after a redirect to another origin, even one that leads back; all of it with a retry")
    func redirects() async throws {
        let stub = Self.redirecting()
        let swifty = Swifty(transport: stub) {
            $0.use(.tracing(tracer: FieldTracer(base: tracer)))
            $0.retry = RetryPolicy(maximumAttempts: 2, backoff: .none)
        }
        _ = try await swifty.api.get("x").load()
        #expect(stub.requests.map(\.target.path) == ["/x", "/local", "/y", "/back", "/x", "/local", "/y", "/back"])
        let attempt = ["user=7", "user=7", nil, nil]
        #expect(stub.requests.map { $0.headers.text("baggage") } == attempt + attempt)
        let hasTenant = stub.requests.map { $0.headers.text("X-Tenant") != nil }
        #expect(hasTenant == (attempt + attempt).map { $0 != nil })
        for name in ["traceparent", "tracestate"] {
            #expect(stub.requests.allSatisfy { $0.headers.text(name) != nil })
        }
    }
}
#endif
