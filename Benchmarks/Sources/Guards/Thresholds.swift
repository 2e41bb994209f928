// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The highest cost of each subject: the content of `thresholds.json`.
struct Thresholds {
    let limits: [String: Double]

    /// Today's costs and a tenth more, so that a new version of the toolchain or of a dependency raises no alarm.
    init(today counts: [String: Double]) {
        limits = counts.mapValues { ($0 * 1.1 * 10).rounded(.up) / 10 }
    }

    init(contentsOf file: URL) throws {
        limits = try JSONDecoder().decode([String: Double].self, from: Data(contentsOf: file))
    }

    func write(to file: URL) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        try (encoder.encode(limits) + Data("\n".utf8)).write(to: file)
    }
}
