// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

package import CoreMetrics
import Synchronization

/// Metrics that are sums in memory: the cost of what records them, with little of its own.
package final class CountingMetrics: MetricsFactory {
    package init() {}

    package func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler { Sum() }
    package func makeRecorder(
        label: String,
        dimensions: [(String, String)],
        aggregate: Bool
    ) -> any RecorderHandler { Sum() }
    package func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler { Sum() }
    package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler { Sum() }
    package func destroyCounter(_ handler: any CounterHandler) {}
    package func destroyRecorder(_ handler: any RecorderHandler) {}
    package func destroyMeter(_ handler: any MeterHandler) {}
    package func destroyTimer(_ handler: any TimerHandler) {}
}

private final class Sum: CounterHandler, RecorderHandler, MeterHandler, TimerHandler {
    private let count = Atomic(0)
    private let sum = Atomic(0)

    private func add(_ value: Int) {
        count.wrappingAdd(1, ordering: .relaxed)
        sum.wrappingAdd(value, ordering: .relaxed)
    }

    func increment(by amount: Int64) { add(Int(amount)) }
    func reset() {}
    func record(_ value: Int64) { add(Int(value)) }
    func record(_ value: Double) { add(Int(value)) }
    func set(_ value: Int64) { add(Int(value)) }
    func set(_ value: Double) { add(Int(value)) }
    func increment(by amount: Double) { add(Int(amount)) }
    func decrement(by amount: Double) { add(-Int(amount)) }
    func recordNanoseconds(_ duration: Int64) { add(Int(duration)) }
}
