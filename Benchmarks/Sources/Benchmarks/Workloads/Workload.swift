// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// Something that is measured, for several contestants side by side.
protocol Workload {
    /// The name on the command line and in Docs/Performance-Log.md, with a size where there are several:
    /// `json-http1-64`.
    var name: String { get }
    var title: String { get }
    var contestants: [String] { get }
    /// The metrics whose ratios are shown.
    var compared: [Metric] { get }
    /// How many turns are enough, for what takes long or does not vary.
    var mostTurns: Int { get }
    /// Whether it runs only if it is asked for by its name, since it takes minutes.
    var isOptional: Bool { get }

    /// Measures the contestants once, in this order.
    func turn(_ order: [String], _ bench: Bench) throws -> [String: Figures]
}

extension Workload {
    var mostTurns: Int { .max }
    var isOptional: Bool { false }

    func run(turns: Int, only: Set<String>?, _ bench: Bench) throws -> WorkloadResult {
        let present = contestants.filter { isWanted($0, only) }
        var result = WorkloadResult(name: name, title: title, compared: compared, contestants: present)
        for turn in 0..<min(turns, mostTurns) where !present.isEmpty {
            // Who comes first has a cooler machine: it is somebody else each time.
            let first = turn % present.count
            result.turns.append(try self.turn(Array(present[first...] + present[..<first]), bench))
        }
        return result
    }

    /// Names stand for themselves, and for all contestants that are a client with a size: `swifty, 1000`.
    private func isWanted(_ contestant: String, _ only: Set<String>?) -> Bool {
        guard let only, let client = contestant.split(separator: ",").first else { return true }
        return only.contains(contestant) || only.contains(String(client))
    }
}
