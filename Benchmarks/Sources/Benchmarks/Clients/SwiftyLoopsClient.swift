// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// Swifty with two loops.
struct SwiftyLoopsClient: BenchmarkClient {
    private let client: SwiftyClient

    init(_ task: LoadTask) async throws {
        client = try SwiftyClient(task, loops: 2)
    }

    func load(_ number: Int) async throws -> Int { try await client.load(number) }

    func shutdown() async throws { try await client.shutdown() }
}
