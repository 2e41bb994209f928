// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty

/// Runs one step and prints what it was, what came of it, and how long it took.
func step(_ title: String, _ code: String, _ body: () async throws -> String) async throws {
    let start = ContinuousClock.now
    let result = try await body()
    print("▸ \(title)  (\(milliseconds(ContinuousClock.now - start)))")
    print("    \(code)")
    print("    → \(result)\n")
}

/// The time of each phase that happened.
func phases(_ metrics: LoadMetrics) -> String {
    guard let transfer = metrics.transfer else { return "no transfer" }
    let phases = [
        ("lookup", transfer.nameLookup), ("connect", transfer.connect), ("TLS", transfer.tls),
        ("first byte", transfer.firstByte), ("transfer", transfer.receive),
    ]
    return phases.filter { $0.1 > .zero }.map { "\($0.0) \(milliseconds($0.1))" }.joined(separator: ", ")
}

func milliseconds(_ duration: Duration) -> String {
    String(format: "%.2f ms", duration / .milliseconds(1))
}

func oneLine(_ text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
}
