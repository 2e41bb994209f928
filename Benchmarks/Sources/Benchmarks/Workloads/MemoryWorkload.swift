// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit

/// Many loads that wait for a server at once: what each of them takes in memory.
struct MemoryWorkload: Workload {
    let name = "idle-memory"
    /// How many loads wait.
    let count: Int
    let clients: [ClientName]

    var title: String { "memory of \(count) loads that wait for their answers, HTTP/1.1" }
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
