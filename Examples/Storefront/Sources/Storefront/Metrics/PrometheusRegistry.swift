// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import CoreMetrics
import Synchronization

/// A back end of swift-metrics that writes the text format of Prometheus, as far as this example needs it. A service
/// would use swift-prometheus.
///
/// Timers are histograms, in seconds. Other distributions have a sum and a count.
public final class PrometheusRegistry: MetricsFactory {
    private struct Key: Hashable {
        let label: String
        let dimensions: [String]
    }

    private let bounds: [Double]
    private let families = Mutex<[String: [Key: any PrometheusSeries]]>([:])

    /// Makes a registry.
    ///
    /// - Parameter buckets: The upper bounds of the buckets of timers, in ascending order.
    public init(buckets: [Duration]) {
        bounds = buckets.map { $0 / .seconds(1) }
    }

    /// The text of all series, by the names of their families.
    public func page() -> String {
        let families = families.withLock { families in
            families.map { (name: $0, series: Array($1.values)) }.sorted { $0.name < $1.name }
        }
        return families.map { name, series in
            let lines = series.flatMap { $0.lines(name) }.sorted { ($0.labels, $0.order) < ($1.labels, $1.order) }
            return "# TYPE \(name) \(series.first?.type ?? "untyped")\n" + lines.map { $0.text + "\n" }.joined()
        }.joined()
    }

    private func series<Series: PrometheusSeries>(
        _ name: String,
        label: String,
        dimensions: [(String, String)],
        make: (PrometheusLabels) -> Series
    ) -> Series {
        let key = Key(label: label, dimensions: dimensions.flatMap { [$0.0, $0.1] })
        let labels = PrometheusLabels(dimensions)
        return families.withLock { families in
            if let known = families[name]?[key] as? Series { return known }
            let made = make(labels)
            families[name, default: [:]][key] = made
            return made
        }
    }

    private func remove(_ handler: AnyObject) {
        families.withLock { families in
            for (name, series) in families {
                families[name] = series.filter { $0.value !== handler }
                if families[name]?.isEmpty == true { families[name] = nil }
            }
        }
    }
}

extension PrometheusRegistry {
    /// Makes a counter, whose name ends in `_total`.
    public func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        series(PrometheusLabels.name(label) + "_total", label: label, dimensions: dimensions, make: CounterSeries.init)
    }

    /// Makes a gauge.
    public func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        series(PrometheusLabels.name(label), label: label, dimensions: dimensions, make: GaugeSeries.init)
    }

    /// Makes a summary without quantiles, or a gauge.
    public func makeRecorder(
        label: String,
        dimensions: [(String, String)],
        aggregate: Bool
    ) -> any RecorderHandler {
        let name = PrometheusLabels.name(label)
        guard aggregate else { return series(name, label: label, dimensions: dimensions, make: GaugeSeries.init) }
        return series(name, label: label, dimensions: dimensions) { DistributionSeries($0, bounds: nil) }
    }

    /// Makes a histogram, whose name ends in `_seconds`.
    public func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        series(PrometheusLabels.name(label) + "_seconds", label: label, dimensions: dimensions) {
            DistributionSeries($0, bounds: bounds)
        }
    }

    /// Removes a counter from the page.
    public func destroyCounter(_ handler: any CounterHandler) { remove(handler) }
    /// Removes a gauge from the page.
    public func destroyMeter(_ handler: any MeterHandler) { remove(handler) }
    /// Removes a summary or a gauge from the page.
    public func destroyRecorder(_ handler: any RecorderHandler) { remove(handler) }
    /// Removes a histogram from the page.
    public func destroyTimer(_ handler: any TimerHandler) { remove(handler) }
}
