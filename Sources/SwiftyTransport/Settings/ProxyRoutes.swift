// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The proxies of a ``TransportSettings/ProxySelection``, resolved once when a transport is made.
package struct ProxyRoutes: Sendable, Hashable {
    /// A proxy, or why it is not valid; `nil` if there is none.
    private typealias Route = Result<TransportSettings.Proxy, TransportSettings.Proxy.ValidationError>?

    private let http: Route
    private let https: Route
    private let exceptions: [ProxyExceptionRule]

    /// Returns `nil` if no request uses a proxy.
    ///
    /// - Parameter environment: The variables of the process; called only if the settings require them.
    package init?(_ settings: TransportSettings.ProxySelection, environment: () -> [String: String]) {
        switch settings {
        case .none:
            return nil
        case .proxy(let proxy, let exceptions):
            let route = Result { () throws(TransportSettings.Proxy.ValidationError) in try proxy.validated() }
            self.init(http: route, https: route, exceptions: exceptions)
        case .fromEnvironment:
            self.init(environment())
        }
    }

    /// Reads the environment's variables. Empty ones count as missing.
    private init?(_ environment: [String: String]) {
        let http = Self.route(["http_proxy", "all_proxy", "ALL_PROXY"], in: environment)
        let https = Self.route(["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"], in: environment)
        if http == nil, https == nil { return nil }
        let exceptions = Self.first(of: ["no_proxy", "NO_PROXY"], in: environment)?.value
        self.init(
            http: http,
            https: https,
            exceptions: TransportSettings.ProxyExceptions(exceptions.map { [$0] } ?? [])
        )
    }

    private init(http: Route, https: Route, exceptions: TransportSettings.ProxyExceptions) {
        self.http = http
        self.https = https
        self.exceptions = exceptions.rules
    }

    /// The variables that are read.
    package static let variables = [
        "http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY",
    ]

    /// The proxy for a request; `nil` if it uses none.
    ///
    /// - Parameters:
    ///   - scheme: The scheme of the target.
    ///   - peer: The host and the port to connect to.
    /// - Throws: ``TransportSettings/Proxy/ValidationError`` if the proxy is not valid.
    package func proxy(
        for scheme: TargetURI.Scheme,
        to peer: HostAndPort
    ) throws(TransportSettings.Proxy.ValidationError) -> TransportSettings.Proxy? {
        guard let route = scheme == .http ? http : https, !isExcepted(peer) else { return nil }
        return try route.get()
    }

    private func isExcepted(_ peer: HostAndPort) -> Bool {
        guard !exceptions.isEmpty else { return false }
        let host = PeerHost(peer.host)
        return exceptions.contains { $0.covers(host, port: peer.port) }
    }

    private static func route(_ names: [String], in environment: [String: String]) -> Route {
        guard let (name, value) = first(of: names, in: environment) else { return nil }
        let proxy = Result { () throws(TransportSettings.Proxy.ValidationError) in try TransportSettings.Proxy(value) }
        return proxy.mapError { error in
            TransportSettings.Proxy.ValidationError(
                reason: "the environment's \(name) is not a proxy's URL: \(error.reason)"
            )
        }
    }

    private static func first(of names: [String], in environment: [String: String]) -> (name: String, value: String)? {
        names.map { (name: $0, value: environment[$0] ?? "") }.first { !$0.value.isEmpty }
    }
}
