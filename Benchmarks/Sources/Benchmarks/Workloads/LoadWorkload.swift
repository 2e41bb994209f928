// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// Runs loads for a time or a number, each client in a process of its own.
struct LoadWorkload: Workload {
    let name: String
    let title: String
    let task: LoadTask
    let clients: [ClientName]
    /// The load generator that shows the server's limit.
    var limit: MachineLimit?
    /// The least number of loads before the measurement.
    var warmUp = 200
    /// The number of loads; `nil` loads for a time.
    var count: Int?

    let compared: [Metric] = [.rate, .cpu, .p99]
    var contestants: [String] { clients.map(\.rawValue) + [limit?.rawValue].compactMap { $0 } }

    func turn(_ order: [String], _ bench: Bench) throws -> [String: Figures] {
        var figures: [String: Figures] = [:]
        for contestant in order {
            let before = bench.nginx.connectionCount()
            figures[contestant] = try measure(contestant, bench)
            figures[contestant]?[.connections] = Double(bench.nginx.connectionCount() - before)
        }
        return figures
    }

    private func measure(_ contestant: String, _ bench: Bench) throws -> Figures {
        if let limit, limit.rawValue == contestant { return try limit.measure(task, seconds: bench.seconds) }
        let program = ClientName(rawValue: contestant)?.program(in: bench) ?? ChildProcess.myself
        let words = try bench.clientPrefix + [program] + arguments(contestant, seconds: bench.seconds)
        return try ChildProcess.figures(ofCommand: words)[contestant] ?? [:]
    }

    /// The command that measures a client.
    func arguments(_ client: String, seconds: Double) throws -> [String] {
        ["load", client, try JSONArgument(task).text, "--warm-up", "\(max(warmUp, task.inFlight * 2, task.hosts * 2))"]
            + (count.map { ["--count", "\($0)"] } ?? ["--seconds", "\(seconds)"])
    }
}
