// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Configuration
import CoreMetrics
import Foundation
import Hummingbird
import HummingbirdTesting
import Logging
import SwiftyObservability
import SwiftyTestTraits
import Synchronization
import Testing
import Tracing

@testable import Storefront

/// What a process has once: its metrics and its traces.
enum Observed {
    static let metrics: PrometheusRegistry = {
        let registry = PrometheusRegistry(buckets: HTTPClientMetrics.requestDurationBuckets)
        MetricsSystem.bootstrap(registry)
        return registry
    }()

    static let traces: TraceLog = {
        let log = TraceLog()
        InstrumentationSystem.bootstrap(TreeTracer { log.add($0) })
        return log
    }()
}

/// The complete traces of all tests.
final class TraceLog: Sendable {
    private let trees = Mutex<[String: SpanTree.Finished]>([:])

    func add(_ tree: SpanTree.Finished) {
        trees.withLock { trees in
            if let trace = tree.records.first?.place.traceID { trees[trace] = tree }
        }
    }

    subscript(trace: String) -> SpanTree.Finished? { trees.withLock { $0[trace] } }
}

/// The answer of the token endpoint, which is a part of no service.
let tokenMocks: KeyValuePairs<MockPattern, MockAnswer> = [
    .url("https://tokens.example.com/token"): .json(["access_token": "t1", "token_type": "Bearer"])
]

extension MockPolicy {
    /// The interceptor that adds the token runs as well.
    static let withToken: MockPolicy = {
        var policy = MockPolicy()
        policy.runsRequestInterceptors = true
        return policy
    }()
}

/// Runs a block with a client of the storefront's routes; there are no sockets.
///
/// - Parameter logger: The logger of the service.
func withStorefront<Result: Sendable>(
    logger: Logger = Logger(label: "storefront"),
    configure: (inout Swifty.Configuration) -> Void = { _ in },
    body: @Sendable (any TestClientProtocol) async throws -> Result
) async throws -> Result {
    _ = (Observed.metrics, Observed.traces)
    let addresses = UpstreamAddresses(
        inventory: "https://inventory.example.com",
        prices: "https://prices.example.com",
        token: "https://tokens.example.com/token"
    )
    let config = ConfigReader(provider: InMemoryProvider(values: ["swifty.retry.backoff.maximum": "2ms"]))
    let upstreams = try Upstreams(at: addresses, reading: config, logger: logger, configure: configure)
    let router = StorefrontRouter(upstreams, metrics: Observed.metrics).makeRouter()
    return try await Application(router: router).test(.router, body)
}

extension TestClientProtocol {
    func get(_ path: String, _ fields: HTTPFields = [:]) async throws -> TestResponse {
        try await execute(uri: path, method: .get, headers: fields) { $0 }
    }
}

extension TestResponse {
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try JSONDecoder().decode(type, from: Data(buffer: body))
    }
}
