// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The connections of a transport, and the requests that wait for one, at one moment.
public struct ConnectionStatistics: Sendable, Hashable {
    /// The connections to one origin.
    public struct Host: Sendable, Hashable {
        /// Connections that carry a request.
        public var active = 0
        /// Connections that are kept for later requests.
        public var idle = 0
        /// Connections that are being made.
        public var connecting = 0
        /// Requests that wait for a connection.
        public var waiting = 0

        /// Makes a value of zeros.
        public init() {}
    }

    /// The origins with connections, such as `https://example.com`. An HTTP proxy that forwards requests of all origins
    /// over the same connections is the empty text.
    public var hosts: [String: Host] = [:]

    /// Connections that carry a request.
    public var active: Int { sum(of: \.active) }
    /// Connections that are kept for later requests.
    public var idle: Int { sum(of: \.idle) }
    /// Connections that are being made.
    public var connecting: Int { sum(of: \.connecting) }
    /// Requests that wait for a connection.
    public var waiting: Int { sum(of: \.waiting) }

    /// Makes an empty value.
    public init() {}

    private func sum(of part: KeyPath<Host, Int>) -> Int { hosts.values.reduce(0) { $0 + $1[keyPath: part] } }
}

extension ConnectionStatistics.Host {
    package static func + (one: Self, other: Self) -> Self {
        var sum = one
        sum.active += other.active
        sum.idle += other.idle
        sum.connecting += other.connecting
        sum.waiting += other.waiting
        return sum
    }
}

/// A connection that has ended.
public struct ClosedConnection: Sendable, Hashable {
    /// The origin, such as `https://example.com`.
    public let origin: String
    /// The address of the peer.
    public let remoteAddress: String
    /// The version of HTTP on it.
    public let httpVersion: ResponseHead.HTTPVersion
    /// The time from the moment at which it was ready to its end.
    public let age: Duration

    /// Records a connection.
    package init(origin: String, remoteAddress: String, httpVersion: ResponseHead.HTTPVersion, age: Duration) {
        (self.origin, self.remoteAddress, self.httpVersion, self.age) = (origin, remoteAddress, httpVersion, age)
    }
}

/// A transport that tells which of its connections have ended.
package protocol ConnectionClosureReporting: Transport {
    /// The connections that have ended since the last call, at most some thousand. The first call returns none, and has
    /// them recorded.
    func takeClosedConnections() -> [ClosedConnection]
}
