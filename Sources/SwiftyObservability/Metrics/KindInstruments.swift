// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#if Observability
import CoreMetrics
import SwiftySupport
import SwiftyTransport
import Synchronization

/// The instruments of the requests of one kind, found by few comparisons.
final class KindInstruments: Sendable {
    let kind: RequestKind
    private let instruments: Instruments
    private let servers = Mutex<[ServerInstruments]>([])
    private let loads = Mutex<[(error: String, source: LoadMetrics.Source, timer: Timer?)]>([])
    /// Beyond it, instruments are looked up in the table of all.
    private static let maximumCount = 16

    init(_ kind: RequestKind, _ instruments: Instruments) {
        (self.kind, self.instruments) = (kind, instruments)
    }

    /// The instruments of the requests to a server.
    func ofServer(_ target: TargetURI) -> ServerInstruments {
        let (host, port) = (target.host, target.port)
        let known = servers.withLock { $0.first { $0.port == port && $0.host == host } }
        if let known { return known }
        let made = ServerInstruments(host: host, port: port, kind, instruments)
        servers.withLock { if $0.count < Self.maximumCount { $0.append(made) } }
        return made
    }

    /// The timer of whole loads.
    func ofLoads(error: String, source: LoadMetrics.Source) -> Timer? {
        if let known = loads.withLock({ $0.first { $0.source == source && $0.error == error } }) { return known.timer }
        var series = Series(.loadDuration, kind)
        (series.error, series.source) = (error, source.rawValue)
        let timer = instruments.timer(series)
        loads.withLock { if $0.count < Self.maximumCount { $0.append((error, source, timer)) } }
        return timer
    }

    func ofRetries(error: String) -> Counter? {
        var series = Series(.retries, kind)
        series.error = error
        return instruments.counter(series)
    }

    /// The timer of waits for admission.
    var ofQueue: Timer? { instruments.timer(Series(.queueDuration, kind)) }

    func ofConstraint(_ name: String) -> Timer? { instruments.timer(Series(.constraintDuration, name: name)) }
}

/// The instruments of the requests of one kind to one server.
final class ServerInstruments: Sendable {
    private typealias Entry = (
        status: Int, version: ResponseHead.HTTPVersion?, error: String, instruments: Instruments.OfRequest?
    )

    let host: String
    let port: Int
    let active: Meter?
    private let kind: RequestKind
    private let instruments: Instruments
    private let requests = Mutex<[Entry]>([])
    private static let maximumCount = 16

    init(host: String, port: Int, _ kind: RequestKind, _ instruments: Instruments) {
        (self.host, self.port, self.kind, self.instruments) = (host, port, kind, instruments)
        var series = Series(.activeRequests, kind)
        (series.host, series.port) = (host, port)
        active = instruments.meter(series)
    }

    /// The instruments of the requests that have ended like this.
    ///
    /// - Parameter status: 0 without a response.
    func ofRequests(
        status: Int,
        version: ResponseHead.HTTPVersion?,
        error: String
    ) -> Instruments.OfRequest? {
        let known = requests.withLock { entries in
            entries.first { $0.status == status && $0.version == version && $0.error == error }
        }
        if let known { return known.instruments }
        var series = Series(.requestDuration, kind)
        (series.host, series.port, series.status, series.error) = (host, port, status, error)
        series.version = version?.rawValue ?? ""
        let made = instruments.ofRequest(series)
        requests.withLock { if $0.count < Self.maximumCount { $0.append((status, version, error, made)) } }
        return made
    }
}
#endif
