// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import SwiftyTransport

/// One connection while libcurl makes it: name lookup, TCP, proxy, TLS (`CURLOPT_CONNECT_ONLY`).
///
/// Only the loop's thread uses it. libcurl's handle is new each time, so that nothing of an earlier connection can
/// reach this one.
final class Connector {
    /// The group that the connection will belong to.
    let group: ConnectionGroup
    /// Whether the connection is for the owner alone.
    let isExclusive: Bool
    /// The transfer that had the connection made; `nil` after the end.
    private(set) var owner: Transfer?
    // Safety: the loop ends its connectors before it ends. Every callback reads this.
    unowned(unsafe) let loop: EventLoop

    /// The time at which it started, in monotonic nanoseconds.
    let started: Int64
    /// Whether the connection was made, or has failed.
    private(set) var isFinished = false
    /// The reason why a socket was not opened.
    var socketError: SocketError?
    /// The number of steps that libcurl has reported.
    var stepCount = 0
    /// The failure by which a callback has ended the connection.
    var failure: TransferFailure?

    // Safety: freed with this object, after libcurl has released the handle.
    let curl: UnsafeMutableRawPointer
    // Safety: libcurl writes at most CURL_ERROR_SIZE bytes into it; freed after the handle is cleaned up.
    let errorText: UnsafeMutablePointer<CChar>
    // Safety: freed with this object, after the handle is cleaned up.
    let protocols: UnsafeMutablePointer<ccurl_protocols>
    /// The peer to connect to instead of the target, in libcurl's format.
    private var route: UnsafeMutablePointer<curl_slist>?
    private var isAdded = false
    /// The last facts, once the handle is freed: transfers may still refer to the connector.
    private(set) var releasedFacts: ConnectionFacts?
    /// OpenSSL's object for the connection, once it is made; `nil` without TLS, with another library, and if there are
    /// two layers of TLS, of which libcurl exposes only one.
    private(set) var ssl: UnsafeRawPointer?

    let target: TargetURI
    let proxy: TransportSettings.Proxy?
    let hostRules: HostRules?

    /// Returns `nil` if allocation fails or this libcurl lacks an option.
    init?(for transfer: Transfer, in group: ConnectionGroup, loop: EventLoop) {
        guard let curl = curl_easy_init() else { return nil }
        self.curl = curl
        self.loop = loop
        owner = transfer
        self.group = group
        isExclusive = transfer.requiresNewConnection
        target = transfer.target
        proxy = transfer.proxy
        hostRules = transfer.hostRules
        started = loop.now
        errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
        errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        protocols = .allocate(capacity: 1)
        protocols.initialize(
            to: .http(
                offersHTTP2: target.scheme == .https && loop.environment.offersHTTP2,
                offersHTTP1: loop.environment.settings.connections.version != .http2,
                proxies: proxy?.kind == .https ? 1 : 0
            )
        )
        // For every host and port, since a connection has only one target.
        if let peer = group.key.route {
            route = curl_slist_append(nil, "::\(peer)")
            if route == nil { return nil }
        }
        guard setUp(route: route, transfer.request.timeouts) else { return nil }
    }

    deinit {
        release()
        curl_slist_free_all(route)
        errorText.deallocate()
        protocols.deallocate()
    }

    /// Gives the handle to libcurl. Returns `false` if allocation fails.
    func start() -> Bool {
        isAdded = curl_multi_add_handle(loop.multi, curl) == CURLM_OK
        if isAdded { loop.connectors[curl] = self }
        return isAdded
    }

    /// Ends the attempt, or closes the connection, and frees libcurl's handle. Must not be called from a callback of
    /// libcurl.
    func cancel() {
        isFinished = true
        owner = nil
        release()
    }

    private func release() {
        remove()
        if releasedFacts != nil { return }
        releasedFacts = facts
        ssl = nil
        curl_easy_cleanup(curl)
    }

    /// The transfer has ended, or has another connection.
    func releaseOwner() {
        owner = nil
    }

    /// Takes the handle from libcurl, which closes its connection.
    private func remove() {
        guard isAdded else { return }
        isAdded = false
        loop.connectors[curl] = nil
        curl_multi_remove_handle(loop.multi, curl)
    }

    /// libcurl has ended the attempt with this code.
    ///
    /// - Returns: The connection, or the failure of the transfers that wait for it.
    func finish(_ code: CURLcode) -> Result<Connection, TransferFailure> {
        isFinished = true
        guard code == CURLE_OK else { return .failure(explain(code)) }
        let facts = facts
        if let failure = pinFailure(facts.certificates) {
            remove()
            return .failure(failure)
        }
        let socket = ccurl_get_socket(curl)
        guard socket >= 0 else {
            remove()
            return .failure(.unwatched)
        }
        // Without TLS, the socket is all that is needed.
        if !usesTLS {
            loop.poll.table.adopt(socket)
            remove()
        }
        let early = usesTLS ? receiveEarly() : nil
        let codec: any Codec
        switch makeCodec() {
        case .success(let chosen): codec = chosen
        case .failure(let failure):
            remove()
            return .failure(failure)
        }
        let connection = Connection(
            Channel(socket: socket, tls: usesTLS ? self : nil),
            facts: facts,
            early: early,
            codec: codec,
            in: group,
            loop: loop
        )
        guard loop.poll.setInterest(CURL_POLL_IN, in: socket) else {
            connection.close()
            return .failure(.unwatched)
        }
        loop.poll.table.attach(connection, to: socket)
        return .success(connection)
    }

    /// Makes the codec of the protocol that ALPN has chosen.
    private func makeCodec() -> Result<any Codec, TransferFailure> {
        let environment = loop.environment
        let speaksHTTP2 = target.scheme == .https && ccurl_get_ssl(curl).map { ccurl_ssl_speaks_http2($0) } ?? false
        if speaksHTTP2 {
            guard let codec = HTTP2Codec(streamLimit: environment.maximumConcurrentStreams) else {
                return .failure(.outOfMemory)
            }
            return .success(codec)
        }
        if environment.settings.connections.version == .http2, target.scheme == .https {
            return .failure(.versionUnavailable)
        }
        return .success(HTTP1Codec(rules: environment.settings.responses))
    }

    /// Whether the connection uses TLS, to the server or to its proxy.
    var usesTLS: Bool { target.scheme == .https || proxy?.kind == .https }

    /// Receives for the first time. Until then, libcurl would count the connection as its own, and close it.
    private func receiveEarly() -> Connection.EarlyResult? {
        ccurl_set_long(curl, CURLOPT_BUFFERSIZE, 128 << 10)
        let buffer = loop.receiveBuffer(limit: 16 << 10)
        let result = Channel(socket: -1, tls: self).receive(into: buffer)
        let isDouble = target.scheme == .https && proxy?.kind == .https
        ssl = isDouble ? nil : ccurl_get_ssl(curl)
        switch result {
        case .bytes(let count): return .bytes(Array(buffer[..<count]))
        case .wouldBlock: return nil
        case .end: return .end
        case .failed(let failure): return .failed(failure)
        }
    }
}
