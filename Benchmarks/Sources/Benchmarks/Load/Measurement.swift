// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The results of one run of one client.
struct Measurement: Sendable {
    var elapsed = Duration.zero
    var completed = 0
    var failed = 0
    var bytes = 0
    var latency = Latency()
    /// The reason of the first failure, or of the end of the measurement before its time.
    var failure: String?

    mutating func fail(_ error: any Error) {
        failed += 1
        if failure == nil { failure = "\(error)" }
    }

    /// Counts a failure that says more than those of single loads.
    mutating func stop(_ reason: String) {
        failed += 1
        failure = reason
    }

    /// Counts a load with the size of its content, or its error.
    mutating func record(_ outcome: Result<Int, any Error>, nanoseconds: Int64) {
        switch outcome {
        case .success(let size):
            bytes += size
            completed += 1
            latency.record(nanoseconds: nanoseconds)
        case .failure(let error): fail(error)
        }
    }

    mutating func add(_ other: Measurement) {
        completed += other.completed
        failed += other.failed
        bytes += other.bytes
        latency.add(other.latency)
        failure = failure ?? other.failure
    }

    var figures: Figures {
        let seconds = max(elapsed / .seconds(1), 1e-9)
        let percentiles = latency.percentiles([50, 99, 99.9]).map { $0 * 1e3 }
        return [
            .rate: Double(completed) / seconds, .failed: Double(failed),
            .p50: percentiles[0], .p99: percentiles[1], .p999: percentiles[2],
        ]
    }
}
