// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import NIOCore
import NIOPosix
import NIOSSL
import SwiftyTransport
import Synchronization

/// The clients of a transport: one for the proxy, and one for the servers that are reached without it.
final class Clients: Sendable {
    /// The loop of all connections, so that a transfer can wait for what it has written; see ``ContentParts``.
    private let loop: any EventLoop
    private let direct: HTTPClient
    private let proxied: HTTPClient?
    private let exceptions: TransportSettings.ProxyExceptions
    private let proxy: TransportSettings.Proxy?
    private let isShutDown = Mutex(false)

    init(_ settings: TransportSettings) {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        self.loop = loop
        direct = HTTPClient(eventLoopGroup: loop, configuration: Self.configuration(settings, proxy: nil))
        guard case .proxy(let proxy, let exceptions) = settings.proxy else {
            (proxied, self.exceptions, self.proxy) = (nil, [], nil)
            return
        }
        (self.proxy, self.exceptions) = (proxy, exceptions)
        proxied = HTTPClient.Configuration.Proxy(proxy).map {
            HTTPClient(eventLoopGroup: loop, configuration: Self.configuration(settings, proxy: $0))
        }
    }

    private static func configuration(
        _ settings: TransportSettings,
        proxy: HTTPClient.Configuration.Proxy?
    ) -> HTTPClient.Configuration {
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow, decompression: .disabled)
        configuration.proxy = proxy
        configuration.tlsConfiguration = tls
        configuration.httpVersion = .http1Only
        // The tracer of the process would add fields to the requests.
        configuration.tracing.tracer = nil
        // The limits of time are the transfer's. A connection that nobody waits for any more ends at this one.
        configuration.timeout.connect = .minutes(10)
        configuration.timeout.read = nil
        configuration.connectionPool.retryConnectionEstablishment = false
        // No request waits for another one's connection.
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 65_536
        configuration.connectionPool.idleTimeout = TimeAmount(settings.connections.maximumIdleTime)
        return configuration
    }

    /// The client's defaults, without the versions of TLS that `TransportSettings` exclude.
    private static var tls: TLSConfiguration {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.minimumTLSVersion = .tlsv12
        return tls
    }

    /// The client for a target.
    ///
    /// - Throws: `invalidProxy` if the proxy has no valid address or credentials, and `invalidSettings` if
    ///   AsyncHTTPClient would not use it as described.
    func client(for target: TargetURI) throws(SwiftyError) -> (client: HTTPClient, isProxied: Bool) {
        guard let proxy, !exceptions.contains(HostAndPort(of: target)) else { return (direct, false) }
        try proxy.check()
        guard let proxied else { throw SwiftyError(unsupported: "a proxy over TLS is not supported") }
        return (proxied, true)
    }

    /// Ends the clients.
    func shutdown() async {
        guard begin() else { return }
        let ended = loop.makePromise(of: Void.self)
        end().cascade(to: ended)
        // A connection that is still being made ends at its own limit, which may be far away.
        let timer = loop.scheduleTask(in: .seconds(5)) { ended.succeed(()) }
        try? await ended.futureResult.get()
        timer.cancel()
    }

    /// Ends the clients without waiting: they trap if they are released before.
    func abandon() {
        guard begin() else { return }
        _ = end()
    }

    private func begin() -> Bool {
        isShutDown.withLock { isShutDown in
            defer { isShutDown = true }
            return !isShutDown
        }
    }

    private func end() -> EventLoopFuture<Void> {
        let endings: [EventLoopFuture<Void>] = [direct, proxied].compactMap { $0 }.map { $0.shutdown() }
        return EventLoopFuture.andAllComplete(endings, on: loop)
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

extension TransportSettings.Proxy {
    /// Fails if a client would not use the proxy as described.
    fileprivate func check() throws(SwiftyError) {
        if let reason = violation { throw SwiftyError(.invalidProxy, stage: .building, reason: reason) }
        guard user == nil || kind == .http || kind == .https else {
            throw SwiftyError(unsupported: "AsyncHTTPClient sends no credentials to a SOCKS proxy")
        }
        guard kind != .socks5WithLocalNames else {
            throw SwiftyError(unsupported: "AsyncHTTPClient lets a SOCKS proxy resolve all names")
        }
    }

    /// The reason for which the proxy is not valid. It repeats nothing of the credentials.
    private var violation: String? {
        let address = HostAndPort(host: address.host, port: address.port)
        if (try? TargetURI("http://\(address)")) == nil { return "the proxy is not a host and a port" }
        if user == nil, password != nil { return "the proxy has a password without a user name" }
        if user?.contains(":") == true { return "the user name of the proxy contains a colon" }
        let credentials = (user ?? "") + (password ?? "")
        let hasControl = credentials.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }
        return hasControl ? "the user name or password of the proxy contains a control character" : nil
    }
}

extension SwiftyError {
    fileprivate init(unsupported reason: String) {
        self.init(.invalidSettings, stage: .building, reason: reason)
    }
}
