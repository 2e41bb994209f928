// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BenchmarkKit
import Foundation

/// Runs the clients in turns, and writes medians and ratios.
struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "run", abstract: "Compare the clients.")

    @Argument(
        help: "Workloads, or the beginnings of their names; without any, all but clean-build and instructions."
    )
    var names: [String] = []
    @Option(parsing: .upToNextOption, help: "The same as the arguments.") var only: [String] = []
    @Option(help: "Turns of each client in each workload.") var repeats = 5
    @Option(help: "Seconds of one client in one turn.") var duration = 2.0
    @Option(help: "Only these clients, separated by commas.") var clients: String?
    @Option(help: "Folder for report.md and report.json.") var output = "Benchmarks/.build/report"
    @Option(help: "The folder of the project.") var project = "."
    @Flag(help: "Small sizes and two short turns, to see that everything works.") var quick = false
    @Flag(help: "Give each client one core, and the server another one, as in a container.") var oneCore = false
    @Flag(help: "Print the names of the workloads.") var list = false

    func run() async throws {
        ProcessUsage.raiseDescriptorLimit()
        let bench = Bench(
            nginx: try Nginx(core: oneCore ? 0 : nil),
            small: try SmallServer(),
            seconds: quick ? 0.3 : duration,
            isQuick: quick,
            isOnOneCore: oneCore,
            project: URL(fileURLWithPath: project).standardizedFileURL
        )
        let workloads = Catalogue(bench: bench).workloads.filter { isWanted($0) }
        if list { return print(workloads.map { $0.name + "\t" + $0.title }.joined(separator: "\n")) }
        try measure(workloads, bench)
    }

    /// The report is written after each workload, so that an interrupted run leaves one.
    private func measure(_ workloads: [any Workload], _ bench: Bench) throws {
        var report = Report(machine: Machine(project: bench.project), secondsPerTurn: bench.seconds)
        let contestants = clients.map { Set($0.split(separator: ",").map(String.init)) }
        for workload in workloads {
            let result = try workload.run(turns: quick ? 2 : repeats, only: contestants, bench)
            if result.turns.isEmpty { continue }
            report.results.append(result)
            print(WorkloadTable(result: result).text)
            try report.write(to: URL(fileURLWithPath: output))
        }
        print(TargetTable(results: report.results).text)
    }

    private func isWanted(_ workload: any Workload) -> Bool {
        let names = names + only
        if names.isEmpty { return list || !workload.isOptional }
        return names.contains { $0 == workload.name || workload.name.hasPrefix($0 + "-") }
    }
}
