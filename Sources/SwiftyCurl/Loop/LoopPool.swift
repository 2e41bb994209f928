// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTransport

/// The loops of a transport, and the choice of a loop for a request.
///
/// A connection belongs to the loop that opened it. Each host therefore has a home loop, whose connections its requests
/// use while that loop is not busy: a host with few requests keeps one set of connections. Further requests go to the
/// loop with the fewest transfers, so that one busy host is not limited by one thread. If the number of connections to
/// a host is limited, all of its requests go to its home loop.
struct LoopPool: Sendable {
    /// The number of transfers that keep a loop's thread busy if each is small.
    static let busyCount = 32

    private let loops: [LoopThread]
    /// The same over TLS, where requests share a connection while there is room on it.
    private let secureBusyCount: Int
    /// Whether the number of connections to a host is limited.
    private let limitsConnections: Bool

    init(_ environment: CurlEnvironment, _ system: any LoopSystem, count: Int) {
        loops = (0..<max(1, count)).map { number in
            LoopThread(environment: environment, system: system, name: "swifty-curl-\(number)")
        }
        secureBusyCount = max(Self.busyCount, environment.maximumConcurrentStreams)
        limitsConnections = environment.settings.connections.maximumPerHost != nil
    }

    func loop(for transfer: Transfer) -> LoopThread {
        if loops.count == 1 { return loops[0] }
        // Only one loop can count all connections to a host.
        if limitsConnections { return loops[Int(transfer.key.origin.hashValue.magnitude % UInt(loops.count))] }
        let home = loops[Int(transfer.key.hashValue.magnitude % UInt(loops.count))]
        let limit = transfer.isSecure ? secureBusyCount : Self.busyCount
        if home.inFlight < limit { return home }
        return loops.min { $0.inFlight < $1.inFlight } ?? home
    }

    /// The connections of all loops.
    func connectionStatistics() async -> ConnectionStatistics {
        var sum = ConnectionStatistics()
        for loop in loops { sum.hosts.merge(await loop.connectionStatistics().hosts) { $0 + $1 } }
        return sum
    }

    /// Runs tasks on the thread of the first loop.
    var executor: LoopExecutor { LoopExecutor(loops[0]) }

    /// Ends the loops without waiting for them.
    func abandon() {
        for loop in loops { loop.abandon() }
    }

    /// Ends the loops, and returns when their threads have ended.
    func shutdown() async {
        for loop in loops { loop.beginShutdown() }
        for loop in loops { await loop.awaitEnd() }
    }
}
