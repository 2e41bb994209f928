// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// A measurement that a subcommand makes by itself.
struct CommandWorkload: Workload {
    let name: String
    let title: String
    let contestants: [String]
    let arguments: [String]
    /// Whether a second run counts allocations.
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
