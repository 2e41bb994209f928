// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// Starts loads at a part of the highest rate of one client, the same for all clients.
struct OpenLoopWorkload: Workload {
    let name: String
    let title: String
    /// The loads of the closed loop that shows the highest rate.
    let task: LoadTask
    /// The client whose highest rate it is.
    let reference: ClientName
    /// The part of the highest rate.
    let percent: Int
    let clients: [ClientName]

    let compared: [Metric] = [.cpu, .p50, .p99, .p999]
    var contestants: [String] { clients.map(\.rawValue) }

    private struct NoRate: Error {
        let client: ClientName
    }

    /// Each turn measures the highest rate again, because the speed of the machine drifts.
    func turn(_ order: [String], _ bench: Bench) throws -> [String: Figures] {
        let rate = try highestRate(bench) * Double(percent) / 100
        return try loads(at: rate, clients).turn(order, bench)
    }

    private func highestRate(_ bench: Bench) throws -> Double {
        let figures = try loads(at: nil, [reference]).turn([reference.rawValue], bench)
        guard let rate = figures[reference.rawValue]?[.rate], rate > 0 else { throw NoRate(client: reference) }
        return rate
    }

    private func loads(at rate: Double?, _ clients: [ClientName]) -> LoadWorkload {
        var task = task
        task.rate = rate
        return LoadWorkload(name: name, title: title, task: task, clients: clients)
    }
}
