// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// A measurement of several contestants side by side.
protocol Workload {
    /// The name on the command line and in Benchmarks/Log.md, with a size where there are several:
    /// `json-http1-64`.
    var name: String { get }
    var title: String { get }
    var contestants: [String] { get }
    /// The metrics whose ratios are shown.
    var compared: [Metric] { get }
    /// The number of turns that suffices, for a measurement that takes long or does not vary.
    var mostTurns: Int { get }
    /// Whether it runs only when named on the command line, because it takes minutes.
    var isOptional: Bool { get }

    /// Measures each contestant once, in the given order.
    func turn(_ order: [String], _ bench: Bench) throws -> [String: Figures]
}

extension Workload {
    var mostTurns: Int { .max }
    var isOptional: Bool { false }

    func run(turns: Int, only: Set<String>?, _ bench: Bench) throws -> WorkloadResult {
        let present = contestants.filter { isWanted($0, only) }
        var result = WorkloadResult(name: name, title: title, compared: compared, contestants: present)
        for turn in 0..<min(turns, mostTurns) where !present.isEmpty {
            // The first contestant has a cooler machine, so the order rotates.
            let first = turn % present.count
            result.turns.append(try self.turn(Array(present[first...] + present[..<first]), bench))
        }
        return result
    }

    /// A name selects the contestant of that name, and a client with any size: `swifty, 1000`.
    private func isWanted(_ contestant: String, _ only: Set<String>?) -> Bool {
        guard let only, let client = contestant.split(separator: ",").first else { return true }
        return only.contains(contestant) || only.contains(String(client))
    }
}
