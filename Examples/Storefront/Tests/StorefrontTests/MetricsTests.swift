// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CoreMetrics
import HummingbirdTesting
import Swifty
import SwiftyTestTraits
import Testing

@testable import Storefront

@Suite(
    "/metrics",
    .mocked(Inventory.self, tokenMocks),
    .mocked(Prices.self),
    .timeLimit(.minutes(15))
)
struct MetricsTests {
    @Test(
        "has the metrics of loads and of the server",
        arguments: [
            "http_client_request_duration_seconds_bucket{http_request_method=\"GET\"",
            "http_client_request_duration_seconds_count{http_request_method=\"GET\"",
            "http_client_active_requests{", "swifty_load_duration_seconds_sum{",
            "http_server_request_duration_seconds_bucket{http_route=\"/items/{id}\"", "hb_requests_total{",
            "# TYPE http_client_request_duration_seconds histogram\n", "url_template=\"items/{}/stock\"",
        ]
    )
    func names(text: String) async throws {
        let page = try await withStorefront { client in
            _ = try await client.get("/items/7")
            return try await client.get("/metrics")
        }
        #expect(page.headers[.contentType] == "text/plain; version=0.0.4; charset=utf-8")
        #expect(String(buffer: page.body).contains(text))
    }
}

@Suite("A registry", .timeLimit(.minutes(15)))
struct PrometheusRegistryTests {
    private let registry = PrometheusRegistry(buckets: [.milliseconds(5), .seconds(1)])

    @Test("writes the series of a family below one line with its type, with all buckets")
    func histogram() {
        let timer = registry.makeTimer(label: "load.duration", dimensions: [("a.b", "c")])
        for duration: Int64 in [5_000_000, 6_000_000, 3_000_000_000] { timer.recordNanoseconds(duration) }
        #expect(
            registry.page() == """
                # TYPE load_duration_seconds histogram
                load_duration_seconds_bucket{a_b="c",le="0.005"} 1
                load_duration_seconds_bucket{a_b="c",le="1.0"} 2
                load_duration_seconds_bucket{a_b="c",le="+Inf"} 3
                load_duration_seconds_sum{a_b="c"} 3.011
                load_duration_seconds_count{a_b="c"} 3

                """
        )
    }

    @Test("escapes the values of labels")
    func escaping() {
        registry.makeCounter(label: "n", dimensions: [("path", "a\\b\"c\nd")]).increment(by: 2)
        #expect(registry.page() == "# TYPE n_total counter\nn_total{path=\"a\\\\b\\\"c\\nd\"} 2\n")
    }

    @Test("has one series for equal labels, and forgets what is destroyed")
    func identity() {
        let meter = registry.makeMeter(label: "1st", dimensions: [])
        meter.set(Int64(2))
        registry.makeMeter(label: "1st", dimensions: []).increment(by: 1)
        #expect(registry.page() == "# TYPE _1st gauge\n_1st 3.0\n")
        registry.destroyMeter(meter)
        #expect(registry.page() == "")
    }

    @Test("has the sum and the count of what is recorded")
    func summary() {
        let recorder = registry.makeRecorder(label: "size", dimensions: [], aggregate: true)
        recorder.record(Int64(3))
        recorder.record(1.5)
        #expect(registry.page() == "# TYPE size summary\nsize_sum 4.5\nsize_count 2\n")
    }
}
