// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The cost of one subject, beside its threshold.
struct Verdict {
    let subject: Subject
    let count: Double
    /// The threshold; `nil` if the file has none, which counts as exceeded.
    let limit: Double?

    var isKept: Bool { limit.map { count <= $0 } ?? false }

    static func all(_ counts: [String: Double], _ thresholds: Thresholds, _ subjects: [Subject]) -> [Verdict] {
        subjects.map {
            Verdict(subject: $0, count: counts[$0.name] ?? .infinity, limit: thresholds.limits[$0.name])
        }
    }

    static func table(_ verdicts: [Verdict]) -> String {
        let rows = verdicts.map { verdict in
            [
                verdict.isKept ? "" : "TOO MUCH", number(verdict.count), verdict.limit.map(number) ?? "none",
                verdict.subject.name, verdict.subject.meaning,
            ]
        }
        return ([["", "today", "at most", "", ""]] + rows).map(line).joined(separator: "\n")
    }

    private static func number(_ value: Double) -> String { String(format: "%.2f", value) }

    private static func line(_ cells: [String]) -> String {
        let padded = zip(cells, [8, 11, 8, 26, 0]).enumerated().map { index, cell in
            let blanks = String(repeating: " ", count: max(0, cell.1 - cell.0.count))
            return index == 1 || index == 2 ? blanks + cell.0 : cell.0 + blanks
        }
        return padded.joined(separator: "  ")
    }
}
