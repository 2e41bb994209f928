// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// What every client does: one load, its content read whole, its status checked.
protocol BenchmarkClient: Sendable {
    init(_ task: LoadTask) async throws
    /// Does the load with this number, and returns the size of the content.
    func load(_ number: Int) async throws -> Int
    func shutdown() async throws
}

struct UnexpectedStatus: Error {
    let code: Int
}
