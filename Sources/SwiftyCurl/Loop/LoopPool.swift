// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTransport

/// The loops of a transport, and which of them carries a request.
///
/// A connection belongs to the loop that opened it. Each host therefore has a home, whose connections its requests use as
/// long as the home is not crowded: a host that is asked now and then keeps one set of connections. What comes beyond
/// that goes to the loop that has the least to do, so that one busy host is not bound by one thread.
struct LoopPool: Sendable {
    /// How many transfers keep a loop's thread busy when each is small.
    static let crowd = 32

    private let loops: [LoopThread]
    /// Over TLS, requests may share a connection as long as there is room on it.
    private let secureCrowd: Int

    init(_ configuration: CurlTransport.Configuration) {
        loops = (0..<max(1, configuration.loops)).map { number in
            LoopThread(configuration: configuration, name: "swifty-curl-\(number)")
        }
        secureCrowd = max(Self.crowd, configuration.maximumConcurrentStreams)
    }

    func loop(for transfer: Transfer) -> LoopThread {
        if loops.count == 1 { return loops[0] }
        let home = loops[Int(Self.peerHash(of: transfer).magnitude % UInt(loops.count))]
        let limit = transfer.target.scheme == .https ? secureCrowd : Self.crowd
        if home.inFlight < limit { return home }
        return loops.min { $0.inFlight < $1.inFlight } ?? home
    }

    /// Equal for transfers that could share a connection: to the same server, or to a proxy that takes requests for all.
    private static func peerHash(of transfer: Transfer) -> Int {
        if let proxy = transfer.proxy, proxy.kind.isHTTP, transfer.target.scheme == .http {
            return proxy.address.hashValue
        }
        return transfer.target.origin.hashValue
    }

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
