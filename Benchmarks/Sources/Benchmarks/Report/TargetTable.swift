// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The targets in Markdown, each with its measured value.
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
        let digits = target.baseline == nil ? target.metric.digits : 2
        let measured = samples.map { Text.spread($0, digits: digits) } ?? ""
        return
            "| \(target.workload)\(whose) | \(figure) | \(target.bound) | \(measured) | \(verdict) |"
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
