// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit

/// The memory of each of many loads that wait for a server simultaneously.
struct MemoryWorkload: Workload {
    let name = "idle-memory"
    /// The number of loads.
    let count: Int
    let clients: [ClientName]

    var title: String { "memory of \(count) loads that wait for their responses, HTTP/1.1" }
    var contestants: [String] { clients.map(\.rawValue) }
    let compared: [Metric] = [.memory]
    let mostTurns = 3

    func turn(_ order: [String], _ bench: Bench) throws -> [String: Figures] {
        var figures: [String: Figures] = [:]
        for client in order {
            figures[client] = try ChildProcess.figures(of: ["hold", client, "\(bench.small.port)", "\(count)"])[
                client
            ]
        }
        return figures
    }
}
