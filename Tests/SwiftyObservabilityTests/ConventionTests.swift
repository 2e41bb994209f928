// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#if Observability
import Foundation
import TestSupport
import Testing

@testable import SwiftyObservability

@Suite("The names of metrics, spans and attributes", .timeLimit(.minutes(15)))
struct ConventionTests {
    /// The names of OpenTelemetry that HTTP clients use. Source: Semantic Conventions 1.38, the pages HTTP spans
    /// (client), HTTP metrics (client) and the attribute registry of `url`, `server`, `network` and `error`; and the
    /// cardinality limit of the metrics SDK.
    private static let conventions: Set = [
        "http.client.request.duration", "http.client.active_requests", "http.client.request.body.size",
        "http.client.response.body.size", "http.client.open_connections", "http.client.connection.duration",
        "http.request.method", "http.request.method_original", "http.request.resend_count",
        "http.request.body.size", "http.response.body.size", "http.response.status_code", "http.connection.state",
        "error.type", "server.address", "server.port", "network.peer.address", "network.peer.port",
        "network.protocol.version", "url.full", "url.template", "otel.metric.overflow",
    ]

    private var names: Set<String> {
        Set(MetricName.allCases.map(\.rawValue) + EventName.allCases.map(\.rawValue) + AttributeName.all)
    }

    @Test("are those of the conventions, or begin with swifty")
    func conventional() {
        #expect(names.filter { !$0.hasPrefix("swifty.") } == Self.conventions)
    }

    @Test("are all on the page, which has no others")
    func documented() throws {
        let page = try String(
            contentsOf: Repository.root.appendingPathComponent("Docs/Observability.md"),
            encoding: .utf8
        )
        let sections = page.components(separatedBy: "\n## ")
            .filter { $0.hasPrefix("Metrics") || $0.hasPrefix("Traces") }
        #expect(sections.count == 2)
        let code = /`((?:http|server|url|network|error|swifty|otel)\.[a-z_.]+)`/
        let found = Set(sections.joined().matches(of: code).map { String($0.output.1) })
        #expect(names.subtracting(found) == [])
        #expect(found.subtracting(names) == [])
    }

    @Test("have the buckets that the conventions advise, in seconds")
    func buckets() {
        #expect(
            HTTPClientMetrics.requestDurationBuckets.map { $0 / .seconds(1) } == [
                0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10,
            ]
        )
        #expect(
            HTTPClientMetrics.connectionDurationBuckets.map { $0 / .seconds(1) } == [
                0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300,
            ]
        )
    }
}
#endif
