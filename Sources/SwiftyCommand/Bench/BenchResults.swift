// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Histogram
import Swifty

/// The counted outcomes of a number of loads.
struct Tally {
    var requests = 0
    var completed = 0
    var failed = 0
    var cancelled = 0
    var attempts = 0
    var retries = 0
    var connections = 0
    var bytes = 0
    var contentMismatches = 0
    /// The errors by their code.
    var errors: [String: ErrorCount] = [:]
    var statuses = StatusCounts()
    /// Latencies in nanoseconds that are not in a histogram yet.
    var latencies: [Int] = []

    /// Counts an outcome.
    ///
    /// - Parameters:
    ///   - latency: The latency in nanoseconds.
    ///   - matches: Whether the content is the expected one.
    mutating func add(_ outcome: NetworkResponse, latency: Int, matches: Bool) {
        requests += 1
        count(outcome.metrics)
        if let error = outcome.error {
            if error.isCancelled { cancelled += 1 } else { fail(error) }
            return
        }
        completed += 1
        latencies.append(latency)
        statuses.add(outcome.statusCode ?? 0)
        bytes += outcome.data?.count ?? 0
        if !matches { contentMismatches += 1 }
    }

    private mutating func fail(_ error: SwiftyError) {
        failed += 1
        errors[error.code.rawValue, default: ErrorCount(example: error)].count += 1
    }

    private mutating func count(_ metrics: LoadMetrics) {
        attempts += metrics.attempts.count
        retries += max(0, metrics.attempts.count - 1)
        for attempt in metrics.attempts {
            count(attempt.metrics)
            for redirect in attempt.redirects { count(redirect.metrics) }
        }
    }

    private mutating func count(_ transfer: TransferMetrics) {
        if transfer.remotePort != 0, !transfer.isConnectionReused { connections += 1 }
    }
}

/// The number of errors with one code, and an example.
struct ErrorCount {
    var example: SwiftyError
    var count = 0
}

/// The results of a run so far: the sum of the tallies, and their latencies as a histogram.
struct BenchResults {
    private(set) var total = Tally()
    private(set) var latencies = Latencies()

    mutating func merge(_ tally: Tally) {
        for latency in tally.latencies { latencies.record(latency) }
        total.requests += tally.requests
        total.completed += tally.completed
        total.failed += tally.failed
        total.cancelled += tally.cancelled
        total.attempts += tally.attempts
        total.retries += tally.retries
        total.connections += tally.connections
        total.bytes += tally.bytes
        total.contentMismatches += tally.contentMismatches
        total.errors.merge(tally.errors) { ErrorCount(example: $0.example, count: $0.count + $1.count) }
        total.statuses.merge(tally.statuses)
    }
}

/// Latencies in nanoseconds, each kept to three significant digits.
struct Latencies: Sendable {
    /// More than 19 hours; a longer latency counts as this.
    private static let longest: UInt64 = 1 << 46

    private var histogram = Histogram<UInt64>(highestTrackableValue: longest, numberOfSignificantValueDigits: .three)

    /// Kept because the histogram would iterate over all of its counts for a mean.
    private var sum = 0.0

    /// Counts a latency; a negative one counts as zero.
    mutating func record(_ nanoseconds: Int) {
        let value = min(UInt64(clamping: nanoseconds), Self.longest)
        histogram.record(value)
        sum += Double(value)
    }

    var count: Int { Int(clamping: histogram.totalCount) }

    /// The mean of all values, 0 without values.
    var mean: Double { count == 0 ? 0 : sum / Double(count) }

    /// The latency that a share of all does not exceed, 0 without values; the longest is exact.
    ///
    /// - Parameter fraction: The share from 0 to 1; 0.99 for the 99th percentile.
    func value(at fraction: Double) -> Int {
        if count == 0 { return 0 }
        return Int(clamping: min(histogram.valueAtPercentile(fraction * 100), histogram.maxRecorded))
    }
}
