// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// What a subcommand measures by itself.
struct CommandWorkload: Workload {
    let name: String
    let title: String
    let contestants: [String]
    let arguments: [String]
    /// Whether it runs once more with its allocations counted.
    var countsAllocations = false
    let compared: [Metric] = []

    func turn(_ order: [String], _ bench: Bench) throws -> [String: Figures] {
        var figures = try ChildProcess.figures(of: arguments)
        if countsAllocations {
            let counted = try ChildProcess.figures(of: arguments, environment: bench.countingEnvironment)
            for contestant in order { figures[contestant]?[.allocations] = counted[contestant]?[.allocations] }
        }
        return figures
    }
}
