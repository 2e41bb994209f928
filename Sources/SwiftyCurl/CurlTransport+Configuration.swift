// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import SwiftyTransport

extension CurlTransport {
    /// How a ``CurlTransport`` is set up.
    public struct Configuration: Sendable, Hashable {
        /// The number of loops, each with a thread that starts when the loop gets its first transfer; at least 1.
        ///
        /// A connection belongs to its loop, so each host has one loop that its requests go to. What comes while 32 of a
        /// loop's transfers are under way (over TLS: as many as may share a connection) goes to the loop with the fewest.
        /// More of them help when threads are fully busy, with many hosts or with one.
        public var loops = 2
        /// How many idle connections each loop keeps for later requests.
        public var maximumIdleConnections = 256
        /// How many requests share one HTTP/2 connection at most. The server may set a lower limit.
        public var maximumConcurrentStreams = 100
        /// Whom connections trust, which way they go, and what is accepted from them.
        public var settings = TransportSettings()
        /// The `User-Agent` of requests that set none; `nil` or an empty text sends none.
        public var userAgent: String? = Self.defaultUserAgent

        /// What the settings' proxies mean for each request; set when a transport is made of this.
        var proxyRoutes: ProxyRoutes?
        /// ``userAgent`` as a header field; set when a transport is made of this.
        var userAgentField: HTTPField?

        /// Makes the default configuration.
        public init() {}

        /// Works out once what every request would otherwise work out for itself.
        mutating func complete() {
            proxyRoutes = ProxyRoutes(settings)
            if let userAgent, !userAgent.isEmpty { userAgentField = HTTPField(name: .userAgent, value: userAgent) }
        }

        private static let defaultUserAgent: String = {
            let product = "Swifty/\(SwiftyVersion.current)"
            return CurlLibrary.linked.map { "\(product) libcurl/\($0.version)" } ?? product
        }()
    }
}
