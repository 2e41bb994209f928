// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// A client under test. A load reads the whole content and checks the status.
protocol BenchmarkClient: Sendable {
    init(_ task: LoadTask) async throws
    /// Runs the load with this number, and returns the size of the content.
    func load(_ number: Int) async throws -> Int
    func shutdown() async throws
    /// The executor of the tasks that load; `nil` for the default.
    var executor: (any TaskExecutor)? { get }
}

extension BenchmarkClient {
    var executor: (any TaskExecutor)? { nil }
}

struct UnexpectedStatus: Error {
    let code: Int
}
