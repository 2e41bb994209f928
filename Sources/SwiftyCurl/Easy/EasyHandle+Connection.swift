// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import SwiftyTransport

extension EasyHandle {
    /// What is known of the connection that a request is about to be written to.
    struct Connection {
        /// Whether it was made for this request.
        var isNew: Bool
        /// Those that may be its socket: one, or several that cannot be told apart.
        var sockets: [SocketTable.Socket]
        /// The version of HTTP that it speaks; nil if that cannot be found out.
        var version: ResponseHead.HTTPVersion?
        /// Whether TLS holds bytes that were not read, or may hold them where they cannot be seen.
        var mayHoldUnreadBytes: Bool
    }

    /// Looks at the connection, of which libcurl gives the ends. To be called once for each.
    func connection(of transfer: Transfer, at address: ConnectionAddress) -> Connection {
        let isNew = tookNewConnection()
        let isSecure = transfer.target.scheme == .https
        let isProxySecure = transfer.proxy?.kind == .https
        let tls = isSecure || isProxySecure ? ccurl_get_tls(curl) : ccurl_tls()
        return Connection(
            isNew: isNew,
            sockets: loop.sockets(of: address, isNew: isNew),
            version: isSecure ? tls.version : .http1_1,
            // Of two layers of TLS, libcurl shows only the inner one.
            mayHoldUnreadBytes: isSecure && isProxySecure
                || (isSecure || isProxySecure) && (!tls.is_known || tls.has_unread)
        )
    }

    /// Whether something may have arrived on a kept-alive connection although nothing was asked: a proxy's 408, an answer behind
    /// the last one, the connection's end. Or whether it may still carry another request. What comes would be taken for the
    /// answer to this request.
    ///
    /// What cannot be found out counts as stale. The request then goes out on a new connection, and nothing is lost.
    func isStale(_ connection: Connection) -> Bool {
        // In HTTP/2 each answer names its stream.
        if connection.isNew || connection.version == .http2 { return false }
        if connection.mayHoldUnreadBytes || connection.sockets.isEmpty { return true }
        return connection.sockets.contains {
            loop.poll.table.isSpoiled($0) || loop.poll.table.isBusy($0) || ccurl_socket_is_readable($0.number)
        }
    }

    /// Ends the transfer if the settings demand a version that the connection does not speak.
    func demandVersion(of connection: Connection, for transfer: Transfer) {
        guard loop.configuration.settings.connections.version == .http2, connection.version != .http2 else { return }
        let reason = "the server does not offer HTTP/2, which the settings demand"
        transfer.state.end(.versionUnavailable, stage: .tls, reason: reason)
    }

    /// Whether the request's connection was made for it; libcurl counts those of all tries.
    private func tookNewConnection() -> Bool {
        let count = ccurl_get_long(curl, CURLINFO_NUM_CONNECTS)
        defer {
            connectCount = count
            stepCount = 0
        }
        return count > connectCount
    }

    /// Whether a connection is being made on which no request has been written.
    var isConnecting: Bool { ccurl_get_long(curl, CURLINFO_NUM_CONNECTS) > connectCount }
}

extension ccurl_tls {
    fileprivate var version: ResponseHead.HTTPVersion? {
        is_known ? speaks_http2 ? .http2 : .http1_1 : nil
    }
}
