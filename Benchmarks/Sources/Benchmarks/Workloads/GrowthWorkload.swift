// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The same loads in growing numbers. The cost of a load should not depend on the amount of work.
struct GrowthWorkload: Workload {
    let name: String
    let title: String
    var clients = ClientName.leading
    let sizes: [Int]
    let loads: (_ size: Int) -> LoadWorkload

    let compared: [Metric] = []
    let mostTurns = 2
    var contestants: [String] { entries.map(\.name) }

    private var entries: [(name: String, client: ClientName, size: Int)] {
        clients.flatMap { client in sizes.map { ("\(client.rawValue), \($0)", client, $0) } }
    }

    func turn(_ order: [String], _ bench: Bench) throws -> [String: Figures] {
        var figures: [String: Figures] = [:]
        for entry in order.compactMap({ name in entries.first { $0.name == name } }) {
            let client = entry.client.rawValue
            figures[entry.name] = try loads(entry.size).turn([client], bench)[client]
        }
        return figures
    }
}
