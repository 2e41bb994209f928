// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The same loads in growing numbers: what a load costs should not depend on how much work there is.
struct GrowthWorkload: Workload {
    let name: String
    let title: String
    let sizes: [Int]
    let loads: (_ size: Int) -> LoadWorkload

    let compared: [Metric] = []
    var mostTurns: Int { 2 }
    var contestants: [String] { ClientName.leading.flatMap { client in sizes.map { "\(client.rawValue), \($0)" } } }

    func turn(_ order: [String], _ bench: Bench) throws -> [String: Figures] {
        var figures: [String: Figures] = [:]
        for client in ClientName.leading.map(\.rawValue) {
            for size in sizes where order.contains("\(client), \(size)") {
                figures["\(client), \(size)"] = try loads(size).turn([client], bench)[client]
            }
        }
        return figures
    }
}
