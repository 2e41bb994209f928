// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import ObservationKit
import Swifty
import SwiftyObservability

/// `SwiftyClient` with metrics and spans.
struct SwiftyObservedClient: BenchmarkClient {
    private let client: SwiftyClient

    init(_ task: LoadTask) async throws {
        let hooks: [any Swifty.Hook] = [
            .metrics(factory: CountingMetrics()), .tracing(tracer: RecordingTracer()),
        ]
        client = try SwiftyClient(task, hooks: hooks)
    }

    func load(_ number: Int) async throws -> Int { try await client.load(number) }
    func shutdown() async throws { try await client.shutdown() }
}
