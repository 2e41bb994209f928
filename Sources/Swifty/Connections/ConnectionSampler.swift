// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Tells the state observers of a `Swifty` about its connections, every few seconds: a transport counts them when it is
/// asked, so that they cost its loads nothing.
final class ConnectionSampler: Sendable {
    /// The time between two samples.
    static let period = Duration.seconds(5)

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
        // What has ended from now on is recorded.
        _ = closedConnections
        timer.withLock { $0 = nextTimer }
    }

    deinit {
        end()
    }

    /// Ends the samples, with one that has no connections.
    func end() {
        guard let last = timer.withLock({ $0.take() }) else { return }
        last.cancel()
        report(ConnectionStatistics())
    }

    private var nextTimer: LoadClock.Timer {
        clock.timer(at: clock.now() + Self.period) { [weak self] in
            guard let self else { return }
            Task { await self.sample() }
        }
    }

    private func sample() async {
        let statistics = await transport.connectionStatistics()
        let isRunning = timer.withLock { timer in
            if timer != nil { timer = nextTimer }
            return timer != nil
        }
        if isRunning { report(statistics) }
    }

    private func report(_ statistics: ConnectionStatistics) {
        let sample = Swifty.ConnectionSample(
            transport: number,
            statistics: statistics,
            closed: closedConnections
        )
        reporter.report { .connections(sample) }
    }

    private var closedConnections: [ClosedConnection] {
        (transport as? any ConnectionClosureReporting)?.takeClosedConnections() ?? []
    }
}
