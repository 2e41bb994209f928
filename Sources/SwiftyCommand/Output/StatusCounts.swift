// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// How often each status was the answer to many loads.
struct StatusCounts: Equatable {
    private(set) var counts: [Int: Int] = [:]

    mutating func add(_ status: Int) {
        counts[status, default: 0] += 1
    }

    mutating func merge(_ other: StatusCounts) {
        counts.merge(other.counts, uniquingKeysWith: +)
    }

    /// The counts by the names of the statuses.
    var byName: [String: Int] { counts.reduce(into: [:]) { $0["\($1.key)"] = $1.value } }

    /// The worst status of the command that follows with `--check-status`.
    var worst: ExitStatus {
        counts.keys.map(ExitStatus.init(ofStatusCode:)).max { $0.rawValue < $1.rawValue } ?? .success
    }

    /// One line about the answers that are errors, and with `--check-status` the redirects; `nil` if there are none.
    func remark(includingRedirects: Bool) -> String? {
        let remarkable = counts.filter { $0.key >= (includingRedirects ? 300 : 400) }
        if remarkable.isEmpty { return nil }
        let parts = remarkable.sorted { $0.key < $1.key }.map { "\($0.key) × \($0.value)" }
        let total = counts.values.reduce(0, +)
        return "\(remarkable.values.reduce(0, +)) of \(total) answers: \(parts.joined(separator: ", "))"
    }
}
