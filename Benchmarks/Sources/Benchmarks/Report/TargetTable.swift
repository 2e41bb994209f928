// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The targets in Markdown, each with what was measured.
struct TargetTable {
    let results: [WorkloadResult]

    var text: String {
        (["## Targets", "", "| workload | figure | target | measured (spread) | |", "| --- | --- | --- | --- | --- |"]
            + Target.all.map(row)).joined(separator: "\n") + "\n"
    }

    private func row(_ target: Target) -> String {
        let figure = target.metric.title + (target.baseline.map { " ÷ \($0.rawValue)'s" } ?? "")
        let whose = target.contestant == ClientName.swifty.rawValue ? "" : " (\(target.contestant))"
        let samples = target.samples(in: results)
        let verdict = samples.map { target.isMet(by: $0.median) ? "met" : "not met" } ?? "not measured"
        return
            "| \(target.workload)\(whose) | \(figure) | \(target.bound) | \(samples.map(Text.spread) ?? "") | \(verdict) |"
    }
}

extension Target.Bound: CustomStringConvertible {
    var description: String {
        switch self {
        case .atLeast(let bound): "≥ \(bound.formatted())"
        case .atMost(let bound): "≤ \(bound.formatted())"
        }
    }
}
