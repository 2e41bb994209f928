// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import SwiftyTransport
import Synchronization

/// One connection while libcurl makes it: name lookup, TCP, proxy, TLS (`CURLOPT_CONNECT_ONLY`). Afterwards it carries
/// the bytes of TLS, for as long as the connection lives.
///
/// Only the loop's thread uses it. libcurl's handle is new each time, so that nothing of an earlier connection can
/// reach this one.
final class CurlConnector: Connector {
    unowned let resources: LoopResources
    unowned let dialer: CurlDialer

    let target: TargetURI
    let proxy: TransportSettings.Proxy?
    /// The host and port to connect to instead of the target's.
    let route: HostAndPort?
    let hostRules: HostRules?

    /// The reason why a socket was not opened.
    var socketError: SocketError?
    /// The number of steps that libcurl has reported.
    var stepCount = 0
    /// The failure by which a callback has ended the connection.
    var failure: TransferFailure?

    // Safety: freed with this object, after libcurl has released the handle.
    let curl: UnsafeMutableRawPointer
    // Safety: both freed with this object, after the handle is cleaned up; libcurl writes at most CURL_ERROR_SIZE bytes
    // of text.
    let errorText: UnsafeMutablePointer<CChar>
    let protocols: UnsafeMutablePointer<ccurl_protocols>
    /// The route in libcurl's format.
    private var routeList: UnsafeMutablePointer<curl_slist>?
    private var isAdded = false
    /// The number of the attempt.
    private let number: Int
    private static let count = Atomic(0)
    /// The number of the connection in the process.
    let connectionNumber = CurlConnector.count.wrappingAdd(1, ordering: .relaxed).newValue
    /// The number of consecutive calls in which TLS has used up its read allowance without finding content.
    var exhaustedCount = 0
    /// The last facts, once the handle is freed: transfers may still refer to the connector.
    private(set) var releasedFacts: ConnectionFacts?
    /// OpenSSL's object for the connection, once it is made; `nil` without TLS, with another library, and if there are
    /// two layers of TLS, of which libcurl exposes only one.
    private(set) var ssl: UnsafeRawPointer?

    /// Prepares a connection for a transfer. Returns `nil` if allocation fails or this libcurl lacks an option.
    init?(for transfer: Transfer, number: Int, _ resources: LoopResources, _ dialer: CurlDialer) {
        guard let curl = curl_easy_init() else { return nil }
        self.curl = curl
        self.resources = resources
        self.dialer = dialer
        self.number = number
        target = transfer.target
        proxy = transfer.proxy
        route = transfer.key.detour?.peer
        hostRules = transfer.hostRules
        errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
        errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        protocols = .allocate(capacity: 1)
        protocols.initialize(
            to: .http(
                offersHTTP2: target.scheme == .https && resources.environment.offersHTTP2
                    && !transfer.key.requiresHTTP1,
                offersHTTP1: resources.environment.settings.connections.version != .http2,
                proxies: proxy?.kind == .https ? 1 : 0,
                isLimited: target.scheme != .https || proxy?.kind != .https
            )
        )
        // For every host and port, since a connection has only one target.
        if let route {
            routeList = curl_slist_append(nil, "::\(route)")
            if routeList == nil { return nil }
        }
        guard setUp(route: routeList, transfer.request.timeouts) else { return nil }
    }

    deinit {
        cancel()
        curl_slist_free_all(routeList)
        errorText.deallocate()
        protocols.deallocate()
    }

    /// Whether the connection uses TLS, to the server or to its proxy.
    var usesTLS: Bool { target.scheme == .https || proxy?.kind == .https }

    /// Gives the handle to libcurl. Returns `false` if allocation fails.
    func start() -> Bool {
        isAdded = curl_multi_add_handle(dialer.multi, curl) == CURLM_OK
        if isAdded { dialer.note(number, of: curl) }
        return isAdded
    }

    /// Ends the attempt, or closes the connection, and frees libcurl's handle. Must not be called from a callback of
    /// libcurl.
    func cancel() {
        remove()
        if releasedFacts != nil { return }
        releasedFacts = facts
        ssl = nil
        curl_easy_cleanup(curl)
    }

    /// Takes the handle from libcurl, which closes its connection.
    private func remove() {
        guard isAdded else { return }
        isAdded = false
        dialer.forget(curl)
        curl_multi_remove_handle(dialer.multi, curl)
    }
}

// MARK: The connection

extension CurlConnector {
    func open() throws(TransferFailure) -> OpenConnection {
        var facts = facts
        let socket = ccurl_get_socket(curl)
        try check(pinFailure(facts.tls?.certificates ?? []) ?? (socket < 0 ? .unwatched : nil))
        guard usesTLS else {
            // Without TLS, only the socket is needed.
            resources.poll.table.adopt(socket)
            remove()
            return OpenConnection(channel: SocketChannel(socket: socket), facts: facts, early: [], speaksHTTP2: false)
        }
        let channel = TLSChannel(socket: socket, connector: self)
        // Before the first call that receives, libcurl does not tell what ALPN has chosen.
        let early = try receiveEarly(from: channel)
        try check(versionFailure)
        facts.tls = .init(certificates: facts.tls?.certificates ?? [], parameters: reportedParameters)
        return OpenConnection(channel: channel, facts: facts, early: early, speaksHTTP2: speaksHTTP2)
    }

    private func check(_ failure: TransferFailure?) throws(TransferFailure) {
        guard let failure else { return }
        remove()
        throw failure
    }

    private var speaksHTTP2: Bool {
        target.scheme == .https && ccurl_get_ssl(curl).map { ccurl_ssl_speaks_http2($0) } ?? false
    }

    private var versionFailure: TransferFailure? {
        let isDemanded = resources.environment.settings.connections.version == .http2 && target.scheme == .https
        return isDemanded && !speaksHTTP2 ? .versionUnavailable : nil
    }

    /// Receives for the first time: until then, libcurl would count the connection as its own, and close it. Returns
    /// what has arrived together with the end of the handshake.
    private func receiveEarly(from channel: TLSChannel) throws(TransferFailure) -> [UInt8] {
        ccurl_set_long(curl, CURLOPT_BUFFERSIZE, 128 << 10)
        let buffer = resources.receiveBuffer(limit: 16 << 10)
        let result = channel.receive(into: buffer)
        let isDouble = target.scheme == .https && proxy?.kind == .https
        ssl = isDouble ? nil : ccurl_get_ssl(curl)
        switch result {
        case .bytes(let count): return Array(buffer[..<count])
        case .wouldBlock: return []
        case .end: try check(.closedAfterHandshake)
        case .failed(let failure): try check(TransferFailure(failure, stage: .tls, sent: .notSent))
        }
        return []
    }
}

extension TransferFailure {
    fileprivate static let closedAfterHandshake = TransferFailure(
        code: .connectionLost,
        stage: .tls,
        sent: .notSent,
        reason: "the server closed the connection after the TLS handshake"
    )
}
