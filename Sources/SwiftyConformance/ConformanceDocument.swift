// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport
import SwiftyTransport

/// The tables of a document about transports, in which each transport has a column.
///
/// A table is between the lines `<!-- conformance: NAME -->` and `<!-- end -->`, where the name is `capabilities`,
/// `chapters` or `deviations`. Only the column of one transport is written; tests of other packages write the others.
///
///     let expected = ConformanceDocument.updating(text, for: subject, deviations: ["violations/nul": "accepts it"])
///     #expect(text == expected)
public enum ConformanceDocument {
    /// The document with the updated column of a transport: its claims, and its known deviations.
    ///
    /// The tests of the scenarios prove that the outcomes are these.
    public static func updating(
        _ document: String,
        for subject: ConformanceSubject,
        deviations: [String: String] = [:]
    ) -> String {
        var document = document
        let chapters = chapters(of: subject, deviations)
        replace("capabilities", in: &document, column: subject.name, cells: capabilities(of: subject))
        replace("chapters", in: &document, column: subject.name, cells: chapters)
        replace(
            "deviations",
            in: &document,
            column: subject.name,
            cells: Conformance.scenarios.compactMap { scenario in
                deviations[scenario.name].map { (row: "`\(scenario.name)`", cell: $0) }
            }
        )
        return document
    }

    private static func capabilities(of subject: ConformanceSubject) -> [(row: String, cell: String)] {
        TransportCapabilities.all.map { name, capability in
            ("`\(name)`", subject.capabilities.contains(capability) ? "yes" : "–")
        }
    }

    private static func chapters(
        of subject: ConformanceSubject,
        _ deviations: [String: String]
    ) -> [(row: String, cell: String)] {
        let names = Conformance.scenarios.map(\.chapter).reduce(into: [String]()) { names, name in
            if names.last != name, !names.contains(name) { names.append(name) }
        }
        return names.map { name in
            let scenarios = Conformance.scenarios.filter { $0.chapter == name }
            let claimed = scenarios.filter { $0.needs.isSubset(of: subject.capabilities) }
            let deviating = claimed.filter { deviations[$0.name] != nil }.count
            let missing = scenarios.map { $0.needs.subtracting(subject.capabilities) }
            let refused = missing.filter { Conformance.canDemand($0) }.count
            return (name, summary(scenarios.count, claimed: claimed.count, deviating: deviating, refused: refused))
        }
    }

    private static func summary(_ count: Int, claimed: Int, deviating: Int, refused: Int) -> String {
        if claimed == count, deviating == 0 { return "all \(count)" }
        var parts = ["\(claimed - deviating) of \(count)"]
        if deviating > 0 { parts.append(deviating == 1 ? "1 deviates" : "\(deviating) deviate") }
        if refused > 0 { parts.append("\(refused) refused") }
        if claimed + refused < count { parts.append("\(count - claimed - refused) not claimed") }
        return parts.joined(separator: "; ")
    }

    private static func replace(
        _ name: String,
        in document: inout String,
        column: String,
        cells: [(row: String, cell: String)]
    ) {
        let start = "<!-- conformance: \(name) -->\n"
        guard let opening = document.firstRange(of: start),
            let closing = document[opening.upperBound...].firstRange(of: "<!-- end -->")
        else { return }
        var table = MarkdownTable(document[opening.upperBound..<closing.lowerBound])
        table.set(column, cells)
        if name == "deviations" { table.sort(by: Conformance.scenarios.map { "`\($0.name)`" }) }
        document.replaceSubrange(opening.upperBound..<closing.lowerBound, with: table.text)
    }
}

/// A table whose first column names the rows.
private struct MarkdownTable {
    private var header: [String]
    private var rows: [[String]]

    init(_ text: Substring) {
        let lines = text.split(separator: "\n").filter { $0.hasPrefix("|") }.map { line in
            line.dropFirst().dropLast().split(separator: "|", omittingEmptySubsequences: false)
                .map { String($0.trimmingSpacesAndTabs()) }
        }
        header = lines.first ?? [""]
        rows = Array(lines.dropFirst(2))
    }

    /// Sets a column. New rows follow the one before them in `cells`; rows without any cell are removed.
    mutating func set(_ column: String, _ cells: [(row: String, cell: String)]) {
        if !header.contains(column) {
            header.append(column)
            for index in rows.indices { rows[index].append("") }
        }
        guard let index = header.firstIndex(of: column) else { return }
        for row in rows.indices { rows[row][index] = "" }
        var position = 0
        for (name, cell) in cells {
            let row = rows.firstIndex { $0.first == name } ?? insert(name, at: position)
            rows[row][index] = cell
            position = row + 1
        }
        rows.removeAll { $0.dropFirst().allSatisfy(\.isEmpty) }
    }

    /// Sorts the rows by `names`; rows that are not among them come last.
    mutating func sort(by names: [String]) {
        rows.sort { one, other in
            let places = [one, other].map { row in names.firstIndex { $0 == row.first } ?? names.count }
            return places[0] < places[1]
        }
    }

    private mutating func insert(_ name: String, at position: Int) -> Int {
        let index = min(position, rows.count)
        rows.insert([name] + Array(repeating: "", count: header.count - 1), at: index)
        return index
    }

    var text: String {
        ([header, header.map { _ in "---" }] + rows).map { "| \($0.joined(separator: " | ")) |\n" }.joined()
    }
}
