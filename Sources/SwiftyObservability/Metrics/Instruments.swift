// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#if Observability
import CoreMetrics
import Logging
import SwiftySupport
import Synchronization

/// The instruments of a back end, each made once: to make one is costly, and takes a lock of the process.
final class Instruments: Sendable {
    /// What is recorded of each request, with the same attributes.
    struct OfRequest: Sendable {
        let duration: Timer
        let requestSize: Recorder
        let responseSize: Recorder
    }

    private enum Instrument {
        case ofRequest(OfRequest)
        case timer(Timer)
        case counter(Counter)
        case meter(Meter)
    }

    private struct Made {
        var instruments: [Series: Instrument] = [:]
        /// The number of series of each metric.
        var counts: [MetricName: Int] = [:]
        /// The metrics that have more series than are made.
        var overflowing: Set<MetricName> = []

        mutating func add(_ instrument: Instrument, as series: Series) -> Instrument {
            instruments[series] = instrument
            return instrument
        }
    }

    private let factory: (any MetricsFactory)?
    /// `nil` for one that is made when it is needed: a program may set its log handler up after this.
    private let logger: Logger?
    private let maximumCount: Int
    private let made = Mutex(Made())

    /// - Parameter factory: Makes the instruments; that of `MetricsSystem` if it is `nil`.
    init(_ factory: (any MetricsFactory)?, maximumSeries: Int, logger: Logger? = nil) {
        (self.factory, self.logger) = (factory, logger)
        maximumCount = max(maximumSeries, 1)
    }

    /// The instruments of a series of ``MetricName/requestDuration``.
    func ofRequest(_ series: Series) -> OfRequest? {
        guard case .ofRequest(let instruments) = instrument(series) else { return nil }
        return instruments
    }

    func timer(_ series: Series) -> Timer? {
        guard case .timer(let timer) = instrument(series) else { return nil }
        return timer
    }

    func counter(_ series: Series) -> Counter? {
        guard case .counter(let counter) = instrument(series) else { return nil }
        return counter
    }

    func meter(_ series: Series) -> Meter? {
        guard case .meter(let meter) = instrument(series) else { return nil }
        return meter
    }

    private func instrument(_ series: Series) -> Instrument? {
        let (instrument, isFirstOverflow) = made.withLock { made -> (Instrument?, Bool) in
            if let known = made.instruments[series] { return (known, false) }
            if made.counts[series.metric, default: 0] < maximumCount {
                made.counts[series.metric, default: 0] += 1
                return (made.add(make(series.metric, series.dimensions), as: series), false)
            }
            return (overflow(of: series.metric, &made), made.overflowing.insert(series.metric).inserted)
        }
        // Outside of the lock, since a log handler may take its time.
        if isFirstOverflow { logOverflow(of: series.metric) }
        return instrument
    }

    /// The instrument of all series beyond the limit.
    private func overflow(of metric: MetricName, _ made: inout Made) -> Instrument? {
        // The states of several origins have no sum.
        if metric.isState { return nil }
        let overflow = Series(metric)
        if let known = made.instruments[overflow] { return known }
        return made.add(make(metric, [(AttributeName.overflow, "true")]), as: overflow)
    }

    private func logOverflow(of metric: MetricName) {
        let rest = metric.isState ? "left out" : "counted together, with \(AttributeName.overflow)"
        (logger ?? Logger(label: "swifty")).warning(
            "the metric \(metric.rawValue) has more series than its limit of \(maximumCount): further ones are \(rest)"
        )
    }

    private func make(_ metric: MetricName, _ dimensions: [(String, String)]) -> Instrument {
        let factory = factory ?? MetricsSystem.factory
        switch metric {
        case .requestDuration:
            return .ofRequest(
                OfRequest(
                    duration: makeTimer(metric, dimensions, by: factory),
                    requestSize: makeRecorder(.requestBodySize, dimensions, by: factory),
                    responseSize: makeRecorder(.responseBodySize, dimensions, by: factory)
                )
            )
        case .loadDuration, .queueDuration, .constraintDuration, .connectionDuration:
            return .timer(makeTimer(metric, dimensions, by: factory))
        case .retries:
            return .counter(Counter(label: metric.rawValue, dimensions: dimensions, factory: factory))
        case .requestBodySize, .responseBodySize, .activeRequests, .openConnections, .circuitState, .hooksLeftBehind:
            return .meter(Meter(label: metric.rawValue, dimensions: dimensions, factory: factory))
        }
    }

    private func makeTimer(
        _ metric: MetricName,
        _ dimensions: [(String, String)],
        by factory: any MetricsFactory
    ) -> Timer {
        // The unit of the conventions, for back ends that have one.
        Timer(label: metric.rawValue, dimensions: dimensions, preferredDisplayUnit: .seconds, factory: factory)
    }

    private func makeRecorder(
        _ metric: MetricName,
        _ dimensions: [(String, String)],
        by factory: any MetricsFactory
    ) -> Recorder {
        Recorder(label: metric.rawValue, dimensions: dimensions, aggregate: true, factory: factory)
    }
}
#endif
