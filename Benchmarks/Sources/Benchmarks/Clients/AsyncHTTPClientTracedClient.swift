// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import ObservationKit

/// `AsyncHTTPClientClient` with spans; it has no metrics, and tells the server nothing about its spans.
struct AsyncHTTPClientTracedClient: BenchmarkClient {
    private let client: AsyncHTTPClientClient

    init(_ task: LoadTask) async throws {
        var configuration = try AsyncHTTPClientClient.configuration(task)
        configuration.tracing.tracer = RecordingTracer()
        client = try AsyncHTTPClientClient(task, configuration)
    }

    func load(_ number: Int) async throws -> Int { try await client.load(number) }
    func shutdown() async throws { try await client.shutdown() }
}
