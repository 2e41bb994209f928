// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyCurl

/// Swifty with the tasks that load on the loop's thread.
struct SwiftyExecutorClient: BenchmarkClient {
    private let client: SwiftyClient

    init(_ task: LoadTask) async throws {
        client = try await SwiftyClient(task)
    }

    var executor: (any TaskExecutor)? { client.transport.executor }

    func load(_ number: Int) async throws -> Int { try await client.load(number) }

    func shutdown() async throws { try await client.shutdown() }
}
