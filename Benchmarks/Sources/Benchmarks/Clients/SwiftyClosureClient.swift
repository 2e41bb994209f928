// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty

/// Swifty's `load` with a closure, which is called on a queue.
struct SwiftyClosureClient: BenchmarkClient {
    private let client: SwiftyClient

    init(_ task: LoadTask) async throws {
        client = try await SwiftyClient(task)
    }

    func load(_ number: Int) async throws -> Int {
        try await withCheckedThrowingContinuation { continuation in
            client.resource(number).load { (_: ResponseHead?, data: Data?, error: SwiftyError?) in
                continuation.resume(with: Result { try size(data, error) })
            }
        }
    }

    private func size(_ data: Data?, _ error: SwiftyError?) throws -> Int {
        if let error { throw error }
        return try client.count(data)
    }

    func shutdown() async throws { try await client.shutdown() }
}
