// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit
import Swifty

/// Swifty with a satisfied constraint and two request interceptors.
struct SwiftyHookClient: BenchmarkClient {
    private let client: SwiftyClient

    init(_ task: LoadTask) async throws {
        client = try SwiftyClient(
            task,
            constraints: [SatisfiedConstraint()],
            interceptors: [FieldInterceptor(.referer), FieldInterceptor(.from)]
        )
    }

    func load(_ number: Int) async throws -> Int { try await client.load(number) }

    func shutdown() async throws { try await client.shutdown() }
}
