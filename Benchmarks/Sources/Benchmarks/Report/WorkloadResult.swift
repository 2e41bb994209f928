// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// All turns of one workload.
struct WorkloadResult: Codable {
    let name: String
    let title: String
    /// The metrics whose ratios the table shows.
    let compared: [Metric]
    let contestants: [String]
    var turns: [[String: Figures]] = []

    /// A contestant's value of each turn; empty if one turn has none.
    func values(_ contestant: String, _ metric: Metric) -> [Double] {
        let values = turns.compactMap { $0[contestant]?[metric] }
        return values.count == turns.count ? values : []
    }

    func samples(_ contestant: String, _ metric: Metric, over baseline: String? = nil) -> Samples? {
        let values = values(contestant, metric)
        guard let baseline else { return Samples(values) }
        return Samples(values, over: self.values(baseline, metric))
    }
}
