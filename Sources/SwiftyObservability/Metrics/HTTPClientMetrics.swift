// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#if Observability
public import CoreMetrics
public import Logging
import SwiftySupport
public import Swifty
import Synchronization
import WebServiceDSL

/// Records metrics of loads by swift-metrics, under the names of OpenTelemetry; see Docs/Observability.md.
///
///     let swifty = Swifty { $0.use(.metrics()) }
///
/// One value can be a hook of many instances. Requests that a mock or a cache answers are not counted as requests.
public final class HTTPClientMetrics: Swifty.LoadTracing, Swifty.StateObserver {
    /// The boundaries of the buckets for `http.client.request.duration`, by OpenTelemetry's advice. swift-metrics
    /// cannot pass them on: give them to its back end.
    public static let requestDurationBuckets: [Duration] = [
        .milliseconds(5), .milliseconds(10), .milliseconds(25), .milliseconds(50), .milliseconds(75),
        .milliseconds(100), .milliseconds(250), .milliseconds(500), .milliseconds(750), .seconds(1),
        .milliseconds(2_500), .seconds(5), .milliseconds(7_500), .seconds(10),
    ]

    /// The boundaries of the buckets for `http.client.connection.duration`, likewise.
    public static let connectionDurationBuckets: [Duration] = [
        .milliseconds(10), .milliseconds(20), .milliseconds(50), .milliseconds(100), .milliseconds(200),
        .milliseconds(500), .seconds(1), .seconds(2), .seconds(5), .seconds(10), .seconds(30), .seconds(60),
        .seconds(120), .seconds(300),
    ]

    /// Records to the factory of `MetricsSystem`. All uses of ``Swifty/Hook/metrics()`` are this one, so that
    /// connections that several instances share are counted once.
    public static let shared = HTTPClientMetrics()

    private let instruments: Instruments
    private let kinds = SlotCache<RequestKind.Key, KindInstruments>(count: 512)
    private let connections = ConnectionGauges()
    /// The breakers that are not closed, by instance: a gauge shows the worst one of those with one name.
    private let circuits = Mutex<[Series: [Int: Int]]>([:])
    /// The last count of each instance: a gauge adds them up.
    private let hooksLeftBehind = Mutex<[Int: Int]>([:])

    /// Makes a hook.
    ///
    /// - Parameters:
    ///   - factory: Makes the instruments; that of `MetricsSystem`, when the first load begins, if it is `nil`.
    ///   - maximumSeries: The number of series of each metric: of the combinations of its attributes, such as templates
    ///     and statuses. Beyond it, further ones are counted together, with the attribute `otel.metric.overflow`, and
    ///     states are left out.
    ///   - logger: Gets a warning when a metric reaches the limit for the first time. If it is `nil`, a logger with the
    ///     label `swifty` does.
    public init(factory: (any MetricsFactory)? = nil, maximumSeries: Int = 2_000, logger: Logger? = nil) {
        instruments = Instruments(factory, maximumSeries: maximumSeries, logger: logger)
    }

    /// Makes the measurement of a load; called by the `Swifty`.
    public func makeTracer(of load: Swifty.ObservedLoad, mayRepeat: Bool) -> (any Swifty.LoadTracer)? {
        let key = RequestKind.Key(load.draft)
        // Declared secrets are those of one request.
        guard load.draft.secrets == nil else { return LoadMeasurement(makeKind(key, load.draft)) }
        return LoadMeasurement(kinds.value(key) { makeKind(key, load.draft) })
    }

    private func makeKind(_ key: RequestKind.Key, _ draft: RequestDraft) -> KindInstruments {
        KindInstruments(RequestKind(key, draft.redactor), instruments)
    }

    /// Records a change; called by the `Swifty`.
    public func observe(_ change: Swifty.StateChange, of instance: Swifty.ObservedInstance) {
        switch change {
        case .circuit(let state, let origin):
            let series = Series(.circuitState, name: instance.name, origin: origin)
            // Under the lock, so that the last state is the one that stays.
            circuits.withLock { circuits in
                circuits[series, default: [:]][instance.number] = state == .closed ? nil : state.number
                instruments.meter(series)?.set(circuits[series]?.values.max() ?? 0)
                if circuits[series]?.isEmpty ?? false { circuits[series] = nil }
            }
        case .hooksLeftBehind(let count):
            let change = hooksLeftBehind.withLock { counts in
                let last = counts[instance.number] ?? 0
                counts[instance.number] = count == 0 ? nil : count
                return Double(count - last)
            }
            let meter = instruments.meter(Series(.hooksLeftBehind, name: instance.name))
            if change > 0 { meter?.increment(by: change) } else { meter?.decrement(by: -change) }
        case .connections(let sample):
            connections.record(sample, instruments)
        }
    }
}

extension Swifty.Hook where Self == HTTPClientMetrics {
    /// Metrics by swift-metrics; see ``HTTPClientMetrics``.
    public static func metrics() -> HTTPClientMetrics { .shared }

    /// Metrics by swift-metrics, with another factory than that of `MetricsSystem`, or with another limit; see
    /// ``HTTPClientMetrics/init(factory:maximumSeries:logger:)``.
    public static func metrics(
        factory: (any MetricsFactory)? = nil,
        maximumSeries: Int = 2_000,
        logger: Logger? = nil
    ) -> HTTPClientMetrics {
        HTTPClientMetrics(factory: factory, maximumSeries: maximumSeries, logger: logger)
    }
}

extension AdmissionPolicy.CircuitBreaker.State {
    /// The value of the metric: the higher, the worse.
    fileprivate var number: Int {
        switch self {
        case .closed: 0
        case .halfOpen: 1
        case .open: 2
        }
    }
}
#endif
