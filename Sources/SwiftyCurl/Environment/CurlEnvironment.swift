// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import SwiftyTransport

/// The settings of a transport and the values derived from them, made once and shared by its loops and transfers.
final class CurlEnvironment: Sendable {
    let settings: TransportSettings
    let maximumIdleConnections: Int
    let maximumConcurrentStreams: Int
    let userAgent: String?

    /// The connections that have ended, for measurements.
    let closures = ClosedConnections()

    /// The error of every request if the settings are unusable.
    let settingsError: SwiftyError?
    /// The rules for TLS; `nil` with the default settings.
    let tls: TLSPolicy?
    /// The proxies of the settings, resolved with the environment of the process; `nil` without proxies.
    let proxyRoutes: ProxyRoutes?
    /// ``userAgent`` as a line of a head; empty if none is sent.
    let userAgentLine: [UInt8]

    init(_ configuration: CurlTransport.Configuration) {
        settings = configuration.settings
        maximumIdleConnections = max(1, configuration.maximumIdleConnections)
        maximumConcurrentStreams = max(1, configuration.maximumConcurrentStreams)
        userAgent = configuration.userAgent
        settingsError = settings.validationError
        tls = TLSPolicy(settings.tls)
        proxyRoutes = ProxyRoutes(settings)
        userAgentLine = Self.userAgentLine(userAgent ?? "")
    }

    private static func userAgentLine(_ text: String) -> [UInt8] {
        // The value of a field cannot contain bytes that would end the line.
        text.isEmpty ? [] : Array("User-Agent: \(HTTPField(name: .userAgent, value: text).value)\r\n".utf8)
    }

    /// Whether HTTP/2 is offered to servers.
    var offersHTTP2: Bool { settings.connections.version != .http1_1 && CurlLibrary.linked?.nghttp2 != nil }

    /// The TLS rules of a request's host; `nil` for a host without rules.
    ///
    /// - Throws: The error of unusable settings.
    func hostRules(for request: NetworkRequest) throws(SwiftyError) -> HostRules? {
        if let settingsError { throw settingsError }
        return try tls?.rules(for: request)
    }
}

extension ProxyRoutes {
    /// Resolves the settings with the current environment of the process.
    init?(_ settings: TransportSettings) {
        self.init(settings.proxy) {
            Self.variables.reduce(into: [:]) { environment, name in
                environment[name] = ccurl_environment(name).map { String(cString: $0) }
            }
        }
    }

    /// The proxy for a request; `nil` for a direct connection.
    ///
    /// - Throws: `invalidProxy` if there is one that cannot be used.
    func proxy(for request: NetworkRequest) throws(SwiftyError) -> TransportSettings.Proxy? {
        do throws(TransportSettings.Proxy.ValidationError) {
            let peer = request.connectsTo ?? HostAndPort(of: request.target)
            return try proxy(for: request.target.scheme, to: peer)
        } catch {
            throw SwiftyError(.invalidProxy, stage: .building, reason: "the proxy cannot be used: \(error.reason)")
        }
    }
}
