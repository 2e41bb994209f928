// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import HummingbirdTesting
import Swifty
import SwiftyTestTraits
import Testing

@testable import Storefront

@Suite(
    "A trace",
    .mocked(Inventory.self, tokenMocks),
    .mocked(Prices.self),
    .timeLimit(.minutes(15))
)
struct TraceTests {
    private static let caller = "00f067aa0ba902b7"

    /// The spans of a request whose caller has a trace.
    private func record(path: String, in trace: String) async throws -> [SpanTree.Record] {
        let name = try #require(HTTPField.Name("traceparent"))
        _ = try await withStorefront { try await $0.get(path, [name: "00-\(trace)-\(Self.caller)-01"]) }
        return try #require(Observed.traces[trace]).records
    }

    @Test("goes on from the caller to the upstreams")
    func continues() async throws {
        let trace = "4bf92f3577b34da6a3ce929d0e0e4736"
        let spans = try await record(path: "/items/7", in: trace)
        let server = try #require(spans.first { $0.kind == .server })
        #expect(server.parent == Self.caller)
        #expect(server.name == "/items/{id}")
        let load = try #require(spans.first { $0.name == "GET items/{}/price" && $0.kind == .internal })
        #expect(load.parent == server.place.spanID)
        let request = try #require(spans.first { $0.name == "GET items/{}/price" && $0.kind == .client })
        #expect(request.parent == load.place.spanID)
        // The upstream is told about the span of the request, and not about that of its caller.
        #expect(try Prices.sent().last?["traceparent"] == "00-\(trace)-\(request.place.spanID)-01")
    }

    @Test("has a span for each attempt, with its outcome")
    func attempts() async throws {
        let trace = "4bf92f3577b34da6a3ce929d0e0e4737"
        let spans = try await withMocks(for: Prices.self, [.get("items/{}/price"): .status(503)]) {
            try await record(path: "/items/7", in: trace)
        }
        let requests = spans.filter { $0.name == "GET items/{}/price" && $0.kind == .client }
        #expect(requests.count == 3)
        #expect(requests.allSatisfy { $0.status?.code == .error && $0.text(of: "error.type") == "503" })
        #expect(spans.first { $0.kind == .server }?.text(of: "http.response.status_code") == "502")
        let text = try #require(Observed.traces[trace]).text
        #expect(text.hasPrefix("trace \(trace), in the span \(Self.caller) of the caller\n/items/{id} (server)"))
        #expect(text.contains("request 3 503 ERROR"))
    }
}
