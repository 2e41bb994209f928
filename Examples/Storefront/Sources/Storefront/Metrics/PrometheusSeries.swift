// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CoreMetrics
import Synchronization

/// A line of the page, and its place among those of its family.
struct PrometheusLine {
    let text: String
    let labels: String
    let order: Int
}

/// The values of one combination of labels.
protocol PrometheusSeries: AnyObject, Sendable {
    var type: String { get }
    /// The lines below the name of a family.
    func lines(_ name: String) -> [PrometheusLine]
}

final class CounterSeries: PrometheusSeries, CounterHandler {
    let type = "counter"
    private let labels: PrometheusLabels
    private let count = Mutex<Int64>(0)

    init(_ labels: PrometheusLabels) { self.labels = labels }

    func increment(by amount: Int64) { count.withLock { $0 &+= amount } }
    func reset() { count.withLock { $0 = 0 } }

    func lines(_ name: String) -> [PrometheusLine] {
        let text = "\(name)\(labels.braced()) \(count.withLock { $0 })"
        return [PrometheusLine(text: text, labels: labels.text, order: 0)]
    }
}

final class GaugeSeries: PrometheusSeries, MeterHandler, RecorderHandler {
    let type = "gauge"
    private let labels: PrometheusLabels
    private let value = Mutex<Double>(0)

    init(_ labels: PrometheusLabels) { self.labels = labels }

    func set(_ value: Int64) { set(Double(value)) }
    func set(_ value: Double) { self.value.withLock { $0 = value } }
    func record(_ value: Int64) { set(value) }
    func record(_ value: Double) { set(value) }
    func increment(by amount: Double) { value.withLock { $0 += amount } }
    func decrement(by amount: Double) { value.withLock { $0 -= amount } }

    func lines(_ name: String) -> [PrometheusLine] {
        let text = "\(name)\(labels.braced()) \(value.withLock { $0 })"
        return [PrometheusLine(text: text, labels: labels.text, order: 0)]
    }
}

/// A histogram, or a sum and a count.
final class DistributionSeries: PrometheusSeries, TimerHandler, RecorderHandler {
    private struct State {
        /// The values of each bucket, the last one of which has no bound.
        var buckets: [Int]
        var sum = 0.0
        var count = 0
    }

    private let labels: PrometheusLabels
    private let bounds: [Double]?
    private let state: Mutex<State>

    /// - Parameter bounds: The upper bounds of the buckets; `nil` for none.
    init(_ labels: PrometheusLabels, bounds: [Double]?) {
        (self.labels, self.bounds) = (labels, bounds)
        state = Mutex(State(buckets: Array(repeating: 0, count: (bounds?.count ?? 0) + 1)))
    }

    var type: String { bounds == nil ? "summary" : "histogram" }

    func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1e9) }
    func record(_ value: Int64) { record(Double(value)) }
    func record(_ value: Double) {
        let bucket = bounds?.firstIndex { value <= $0 } ?? bounds?.count ?? 0
        state.withLock { state in
            state.buckets[bucket] += 1
            state.sum += value
            state.count += 1
        }
    }

    func lines(_ name: String) -> [PrometheusLine] {
        let state = state.withLock { $0 }
        var texts = bounds.map { bucketLines(name, bounds: $0, state: state) } ?? []
        texts.append("\(name)_sum\(labels.braced()) \(state.sum)")
        texts.append("\(name)_count\(labels.braced()) \(state.count)")
        return texts.enumerated().map { PrometheusLine(text: $1, labels: labels.text, order: $0) }
    }

    private func bucketLines(_ name: String, bounds: [Double], state: State) -> [String] {
        var count = 0
        return zip(bounds.map { "\($0)" } + ["+Inf"], state.buckets).map { bound, values in
            count += values
            return "\(name)_bucket\(labels.braced(and: "le=\"\(bound)\"")) \(count)"
        }
    }
}
