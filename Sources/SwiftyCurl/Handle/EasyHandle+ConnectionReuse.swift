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

// What a response's head asks for its connection, while the transfer is going on. libcurl looks at these options when it
// gets to the point, so that they can still be changed in its callbacks.

extension EasyHandle {
    /// Does what the head asks for; most ask for nothing.
    func takeCare(_ care: TransferState.ConnectionCare) {
        if care == TransferState.ConnectionCare() { return }
        if care.forbidsReuse { forbidReuse() }
        if care.needsWatching { watch() }
        if care.needsProofOfEnd { followEnd() }
    }

    /// Makes libcurl close the connection after this transfer.
    func forbidReuse() {
        applied.forbidsReuse = true
        ccurl_set_long(curl, CURLOPT_FORBID_REUSE, 1)
    }

    /// Ends what ``forbidReuse()`` began, unless the settings let no connection be used twice.
    func allowReuse() {
        guard applied.forbidsReuse, !loop.configuration.settings.connections.forbidsReuse else { return }
        applied.forbidsReuse = false
        ccurl_set_long(curl, CURLOPT_FORBID_REUSE, 0)
    }

    /// Makes libcurl call after each step, the last one included, when the TLS connection is still there to be asked.
    private func followEnd() {
        applied.isReported = true
        ccurl_set_long(curl, CURLOPT_NOPROGRESS, 0)
    }

    /// Makes libcurl say what it finds: bytes behind a response's end it only mentions.
    private func watch() {
        applied.isWatched = true
        applyVerbosity()
    }

    /// Ends the watching.
    func stopWatching() {
        guard applied.isWatched else { return }
        applied.isWatched = false
        applyVerbosity()
    }

    /// libcurl speaks as long as somebody listens: to what it says of a stream, or of bytes behind a response's end.
    @discardableResult
    func applyVerbosity() -> CURLcode {
        ccurl_set_long(curl, CURLOPT_VERBOSE, applied.isWatched || applied.isListening ? 1 : 0)
    }
}
