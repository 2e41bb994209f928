// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#if Observability
import CoreMetrics
import SwiftySupport
import Swifty
import SwiftyTransport
import Synchronization

/// The connections of all transports, added up by origin.
final class ConnectionGauges: Sendable {
    private typealias Hosts = [String: ConnectionStatistics.Host]

    private struct State {
        /// The last sample of each transport.
        var transports: [Int: Hosts] = [:]
        /// The origins whose gauges are not zero.
        var origins: Set<String> = []
    }

    private let state = Mutex(State())

    func record(_ sample: Swifty.ConnectionSample, _ instruments: Instruments) {
        // Under the lock, so that the last sample is the one that stays.
        state.withLock { state in
            state.transports[sample.transport] = sample.statistics.hosts.isEmpty ? nil : sample.statistics.hosts
            let sums = state.transports.values.reduce(into: Hosts()) { sums, hosts in
                sums.merge(hosts) { $0 + $1 }
            }
            for origin in state.origins.union(sums.keys) { set(sums[origin] ?? .init(), of: origin, instruments) }
            state.origins = Set(sums.keys)
        }
        for closed in sample.closed { record(closed, instruments) }
    }

    private func set(_ host: ConnectionStatistics.Host, of origin: String, _ instruments: Instruments) {
        for (name, count) in [("active", host.active), ("idle", host.idle)] {
            var series = Series(.openConnections, ofServer: origin)
            series.connectionState = name
            instruments.meter(series)?.set(count)
        }
    }

    private func record(_ closed: ClosedConnection, _ instruments: Instruments) {
        var series = Series(.connectionDuration, ofServer: closed.origin)
        series.version = closed.httpVersion.rawValue
        instruments.timer(series)?.recordNanoseconds(closed.age.nanoseconds)
    }
}

extension Series {
    /// - Parameter origin: The origin; empty for an HTTP proxy that serves all.
    fileprivate init(_ metric: MetricName, ofServer origin: String) {
        self.init(metric)
        guard let target = try? TargetURI(origin) else { return }
        (host, port) = (target.host, target.port)
    }
}
#endif
