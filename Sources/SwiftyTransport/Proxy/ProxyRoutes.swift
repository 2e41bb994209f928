// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// What ``TransportSettings/ProxySelection`` mean for each request, found out once when a transport is made.
package struct ProxyRoutes: Sendable, Hashable {
    private enum Way: Hashable {
        case direct
        case through(TransportSettings.Proxy)
        case invalid(TransportSettings.Proxy.ValidationError)
    }

    private let http: Way
    private let https: Way
    private let exceptions: [ProxyExceptionRule]

    /// Returns nil if no request goes through a proxy.
    ///
    /// - Parameter environment: The variables of the process; asked for only if the settings say so.
    package init?(_ settings: TransportSettings.ProxySelection, environment: () -> [String: String]) {
        switch settings {
        case .none:
            return nil
        case .proxy(let proxy, let exceptions):
            let way = Self.way { () throws(TransportSettings.Proxy.ValidationError) in try proxy.checked() }
            self.init(http: way, https: way, exceptions: exceptions)
        case .fromEnvironment:
            self.init(environment())
        }
    }

    /// Reads the environment's variables. Empty ones count as missing.
    private init?(_ environment: [String: String]) {
        let http = Self.way(["http_proxy", "all_proxy", "ALL_PROXY"], in: environment)
        let https = Self.way(["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"], in: environment)
        if http == .direct, https == .direct { return nil }
        let exceptions = Self.first(of: ["no_proxy", "NO_PROXY"], in: environment)?.value
        self.init(
            http: http,
            https: https,
            exceptions: TransportSettings.ProxyExceptions(exceptions.map { [$0] } ?? [])
        )
    }

    private init(http: Way, https: Way, exceptions: TransportSettings.ProxyExceptions) {
        self.http = http
        self.https = https
        self.exceptions = exceptions.rules
    }

    /// The variables that may say something.
    package static let variables = [
        "http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY",
    ]

    /// The proxy for a request to a target; nil if there is none.
    ///
    /// - Parameters:
    ///   - scheme: The target's.
    ///   - peer: Where the connection is to lead.
    package func proxy(
        for scheme: TargetURI.Scheme,
        to peer: HostAndPort
    ) throws(TransportSettings.Proxy.ValidationError) -> TransportSettings.Proxy? {
        let way = scheme == .http ? http : https
        if way == .direct || isExcepted(peer) { return nil }
        switch way {
        case .direct: return nil
        case .through(let proxy): return proxy
        case .invalid(let problem): throw problem
        }
    }

    /// Whether any request may go through a proxy that is spoken to over TLS.
    package var needTLS: Bool {
        [http, https].contains { if case .through(let proxy) = $0 { proxy.kind == .https } else { false } }
    }

    private func isExcepted(_ peer: HostAndPort) -> Bool {
        guard !exceptions.isEmpty else { return false }
        let host = PeerHost(peer.host)
        return exceptions.contains { $0.covers(host, port: peer.port) }
    }

    private static func way(_ names: [String], in environment: [String: String]) -> Way {
        guard let (name, value) = first(of: names, in: environment) else { return .direct }
        return way { () throws(TransportSettings.Proxy.ValidationError) in
            do throws(TransportSettings.Proxy.ValidationError) {
                return try TransportSettings.Proxy(value)
            } catch {
                throw TransportSettings.Proxy.ValidationError(
                    reason: "the environment's \(name) is not a proxy's URL: \(error.reason)"
                )
            }
        }
    }

    private static func way(
        _ proxy: () throws(TransportSettings.Proxy.ValidationError) -> TransportSettings.Proxy
    ) -> Way {
        do throws(TransportSettings.Proxy.ValidationError) {
            return .through(try proxy())
        } catch {
            return .invalid(error)
        }
    }

    private static func first(of names: [String], in environment: [String: String]) -> (name: String, value: String)? {
        for name in names {
            if let value = environment[name], !value.isEmpty { return (name, value) }
        }
        return nil
    }
}
