// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// With two loops, which share the hosts and help each other.
struct SwiftyLoopsClient: BenchmarkClient {
    private let client: SwiftyClient

    init(_ task: LoadTask) async throws {
        client = try SwiftyClient(task, loops: 2)
    }

    func load(_ number: Int) async throws -> Int { try await client.load(number) }

    func shutdown() async throws { try await client.shutdown() }
}
