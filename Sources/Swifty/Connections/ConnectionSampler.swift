// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Tells the state observers of a `Swifty` about its connections, every few seconds: a transport counts them when it is
/// asked, so that they cost its loads nothing.
final class ConnectionSampler: Sendable {
    /// The time between two samples.
    static let period = Duration.seconds(5)
    /// The samplers of each transport, by its number.
    private static let samplers = Mutex<[Int: Int]>([:])

    private let transport: any Transport
    /// The number of the transport in samples.
    private let number: Int
    private let clock: LoadClock
    private let reporter: StateReporter
    /// The timer of the next sample; `nil` after the end.
    private let timer = Mutex<LoadClock.Timer?>(nil)

    /// - Parameter number: The number of the transport in samples; see ``Swifty/ConnectionSample/transport``.
    init(_ transport: any Transport, number: Int, clock: LoadClock, reporter: StateReporter) {
        (self.transport, self.number, self.clock, self.reporter) = (transport, number, clock, reporter)
        let isFirst = Self.samplers.withLock { samplers in
            samplers[number, default: 0] += 1
            return samplers[number] == 1
        }
        // What has ended from now on is recorded.
        if isFirst { _ = closedConnections }
        timer.withLock { $0 = nextTimer }
    }

    deinit {
        end()
    }

    /// Ends the samples; the last one of a transport has no connections.
    func end() {
        guard let last = timer.withLock({ $0.take() }) else { return }
        last.cancel()
        let isLast = Self.samplers.withLock { samplers in
            let rest = (samplers[number] ?? 1) - 1
            samplers[number] = rest == 0 ? nil : rest
            return rest == 0
        }
        guard isLast else { return }
        let sample = sample(of: ConnectionStatistics())
        reporter.report { .connections(sample) }
    }

    private var nextTimer: LoadClock.Timer {
        clock.timer(at: clock.now() + Self.period) { [weak self] in
            guard let self else { return }
            Task { await self.takeSample() }
        }
    }

    private func takeSample() async {
        let statistics = await transport.connectionStatistics()
        timer.withLock { timer in
            if timer != nil { timer = nextTimer }
        }
        // Asked when it is reported, so that no sample follows the last one.
        reporter.report { [weak self] in
            guard let self, timer.withLock({ $0 != nil }) else { return nil }
            return .connections(sample(of: statistics))
        }
    }

    private func sample(of statistics: ConnectionStatistics) -> Swifty.ConnectionSample {
        Swifty.ConnectionSample(transport: number, statistics: statistics, closed: closedConnections)
    }

    private var closedConnections: [ClosedConnection] {
        (transport as? any ConnectionClosureReporting)?.takeClosedConnections() ?? []
    }
}
