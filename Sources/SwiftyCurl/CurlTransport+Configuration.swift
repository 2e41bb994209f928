// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import SwiftyTransport

extension CurlTransport {
    /// The options of a ``CurlTransport``.
    public struct Configuration: Sendable, Hashable {
        /// The number of loops, at least 1. The thread of a loop starts with the loop's first transfer.
        ///
        /// One thread connects, reads, parses and writes for all requests, which is cheapest until it is fully busy.
        /// With several loops, a connection belongs to its loop, so each host has one loop that takes its requests.
        /// While 32 transfers of that loop are in flight (over TLS: as many as may share a connection), further ones go
        /// to the loop with the fewest.
        public var loops = 1
        /// The number of idle connections that each loop keeps for later requests.
        public var maximumIdleConnections = 256
        /// The maximum number of requests that share one HTTP/2 connection. The server may set a lower limit.
        public var maximumConcurrentStreams = 100
        /// TLS trust, proxy, addresses, connection limits and response rules.
        public var settings = TransportSettings()
        /// The `User-Agent` of requests that set none; `nil` or an empty string sends none.
        public var userAgent: String? = Self.defaultUserAgent

        /// Makes the default configuration.
        public init() {}

        private static let defaultUserAgent: String = {
            let product = "Swifty/\(SwiftyVersion.current)"
            return CurlLibrary.linked.map { "\(product) libcurl/\($0.version)" } ?? product
        }()
    }
}
