// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The results of a whole run.
struct Report: Codable {
    let machine: Machine
    let secondsPerTurn: Double
    var results: [WorkloadResult] = []

    var text: String {
        let head = ["# Benchmarks", ""] + machine.lines.map { "- \($0)" } + ["", TargetTable(results: results).text]
        return (head + ["## Workloads", ""] + results.map { WorkloadTable(result: $0).text }).joined(separator: "\n")
    }

    /// Writes `report.md` and `report.json`.
    func write(to folder: URL) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: folder.appendingPathComponent("report.md"))
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        try encoder.encode(self).write(to: folder.appendingPathComponent("report.json"))
    }
}
