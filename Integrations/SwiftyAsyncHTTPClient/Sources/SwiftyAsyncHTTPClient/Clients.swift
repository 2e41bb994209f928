// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import Dispatch
import NIOCore
import NIOPosix
import SwiftyTransport
import Synchronization

/// The clients of a transport: one for the proxy, and one for the servers that are reached without it.
final class Clients: Sendable {
    private let direct: HTTPClient
    private let proxied: HTTPClient?
    private let exceptions: TransportSettings.ProxyExceptions
    private let proxy: TransportSettings.Proxy?
    private let isShutDown = Mutex(false)

    init(_ settings: TransportSettings) {
        direct = Self.makeClient(settings, proxy: nil)
        guard case .proxy(let proxy, let exceptions) = settings.proxy else {
            (proxied, self.exceptions, self.proxy) = (nil, [], nil)
            return
        }
        (self.proxy, self.exceptions) = (proxy, exceptions)
        proxied = HTTPClient.Configuration.Proxy(proxy).map { Self.makeClient(settings, proxy: $0) }
    }

    private static func makeClient(
        _ settings: TransportSettings,
        proxy: HTTPClient.Configuration.Proxy?
    ) -> HTTPClient {
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow, decompression: .disabled)
        configuration.proxy = proxy
        // The limits of time are the transfer's, except that for connecting.
        configuration.timeout.read = nil
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 256
        configuration.connectionPool.idleTimeout = TimeAmount(settings.connections.maximumIdleTime)
        return HTTPClient(eventLoopGroup: MultiThreadedEventLoopGroup.singleton, configuration: configuration)
    }

    /// The client for a target.
    ///
    /// - Throws: `invalidProxy` if the proxy has no valid address.
    func client(for target: TargetURI) throws(SwiftyError) -> (client: HTTPClient, isProxied: Bool) {
        guard let proxy, !exceptions.contains(HostAndPort(of: target)) else { return (direct, false) }
        let address = HostAndPort(host: proxy.address.host, port: proxy.address.port)
        guard let proxied, (try? TargetURI("http://\(address)")) != nil else {
            throw SwiftyError(.invalidProxy, stage: .building, reason: "the proxy is not a host and a port")
        }
        return (proxied, true)
    }

    /// Ends the clients.
    func shutdown() async {
        guard begin() else { return }
        for client in [direct, proxied].compactMap({ $0 }) { try? await client.shutdown() }
    }

    /// Ends the clients without waiting: they trap if they are released before.
    func abandon() {
        guard begin() else { return }
        for client in [direct, proxied].compactMap({ $0 }) {
            client.shutdown(queue: .global()) { _ in _ = client }
        }
    }

    private func begin() -> Bool {
        isShutDown.withLock { isShutDown in
            defer { isShutDown = true }
            return !isShutDown
        }
    }
}

extension TimeAmount {
    fileprivate init(_ duration: Duration) {
        let seconds = Double(duration.components.seconds)
        self = .milliseconds(Int64(min(max(seconds * 1_000, 1), 86_400_000)))
    }
}

extension HTTPClient.Configuration.Proxy {
    /// `nil` for a proxy over TLS, which the capabilities exclude.
    fileprivate init?(_ proxy: TransportSettings.Proxy) {
        let (host, port) = (proxy.address.host, proxy.address.port)
        switch proxy.kind {
        case .http:
            let authorization = proxy.user.map {
                HTTPClient.Authorization.basic(username: $0, password: proxy.password ?? "")
            }
            self = .server(host: host, port: port, authorization: authorization)
        case .socks5, .socks5WithLocalNames: self = .socksServer(host: host, port: port)
        case .https: return nil
        }
    }
}
