// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit
import CAllocations
import Swifty

/// Measures the memory of waiting loads.
enum MemoryMeter {
    private static let count = 2_000

    /// The bytes that each load keeps allocated while it waits, including the caller's task and request.
    static func perWaitingLoad() async throws -> Double {
        let transport = HoldingTransport()
        let server = BaseResource("https://api.example.com", networkInterface: Swifty(transport: transport))
        return try await withThrowingTaskGroup(of: Void.self) { group in
            let before = allocations_bytes()
            for _ in 0..<count { group.addTask { _ = try await server.get("small").load() } }
            while transport.count < count { try await Task.sleep(for: .milliseconds(5)) }
            let after = allocations_bytes()
            transport.release()
            try await group.waitForAll()
            return Double(after - before) / Double(count)
        }
    }
}
