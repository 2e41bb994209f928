// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// Loads that start simultaneously.
struct Loads {
    private let tasks: [Task<String, any Error>]

    init(_ count: Int, _ load: @escaping @Sendable () async throws -> String) {
        tasks = (0..<count).map { _ in Task { try await load() } }
    }

    var results: [Result<String, any Error>] {
        get async {
            var results: [Result<String, any Error>] = []
            for task in tasks { results.append(await task.result) }
            return results
        }
    }
}
