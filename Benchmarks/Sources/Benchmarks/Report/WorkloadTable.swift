// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A result as a table in Markdown: medians, and ratios with their least and greatest values.
struct WorkloadTable {
    let result: WorkloadResult

    private static let opponents = [
        (name: ClientName.asyncHTTPClient.rawValue, title: "×AHC"), (name: ClientName.floor.rawValue, title: "×floor"),
        (name: ClientName.curl.rawValue, title: "×curl"), (name: ClientName.reqwest.rawValue, title: "×reqwest"),
        (name: ClientName.hyper.rawValue, title: "×hyper"), (name: ClientName.go.rawValue, title: "×Go"),
    ]

    var text: String {
        let head = ["client"] + metrics.flatMap { [$0.title] + opponents(of: $0).map(\.title) }
        let rows = result.contestants.filter(hasRun).map(row)
        return
            (["### \(result.name): \(result.title)", "", line(head), line(head.map { _ in "---" })] + rows.map(line))
            .joined(separator: "\n") + "\n"
    }

    private func hasRun(_ contestant: String) -> Bool { result.turns.contains { $0[contestant] != nil } }

    /// The metrics that at least one contestant has.
    private var metrics: [Metric] {
        Metric.allCases.filter { metric in
            result.contestants.contains { result.samples($0, metric) != nil }
        }
    }

    private func opponents(of metric: Metric) -> [(name: String, title: String)] {
        guard result.compared.contains(metric) else { return [] }
        return Self.opponents.filter { result.samples($0.name, metric) != nil }
    }

    private func row(_ contestant: String) -> [String] {
        [contestant]
            + metrics.flatMap { metric in
                [result.samples(contestant, metric).map { Text.number($0.median, metric.digits) } ?? ""]
                    + opponents(of: metric).map { ratio(contestant, metric, $0.name) }
            }
    }

    private func ratio(_ contestant: String, _ metric: Metric, _ opponent: String) -> String {
        guard contestant != opponent, let ratio = result.samples(contestant, metric, over: opponent) else { return "" }
        return Text.spread(ratio)
    }

    private func line(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |" }
}

/// Formats numbers for reports.
enum Text {
    static func number(_ value: Double, _ digits: Int) -> String { String(format: "%.\(digits)f", value) }

    static func spread(_ samples: Samples, digits: Int = 2) -> String {
        "**\(number(samples.median, digits))** (\(number(samples.least, digits))…\(number(samples.most, digits)))"
    }
}
