// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import SwiftyTransport

extension EasyHandle {
    /// The properties of the connection that a request is about to be written to.
    struct Connection {
        /// Whether it was made for this request.
        var isNew: Bool
        /// The candidates for its socket: one, or several that cannot be told apart.
        var sockets: [SocketTable.Socket]
        /// The HTTP version of the connection; `nil` if unknown.
        var version: ResponseHead.HTTPVersion?
        /// Whether TLS holds, or may hold, bytes that were not read and that the socket does not show.
        var mayHoldUnreadBytes: Bool
    }

    /// Examines the connection with these addresses, as libcurl reports them. Must be called once for each connection.
    func examineConnection(of transfer: Transfer, at address: ConnectionAddress) -> Connection {
        let isNew = countNewConnection()
        let isSecure = transfer.target.scheme == .https
        let isProxySecure = transfer.proxy?.kind == .https
        let tls = isSecure || isProxySecure ? ccurl_get_tls(curl) : ccurl_tls()
        return Connection(
            isNew: isNew,
            sockets: loop.sockets(of: address, isNew: isNew),
            version: isSecure ? tls.version : .http1_1,
            // Of two layers of TLS, libcurl exposes only the inner one.
            mayHoldUnreadBytes: isSecure && isProxySecure
                || (isSecure || isProxySecure) && (!tls.is_known || tls.has_unread)
        )
    }

    /// Whether a kept-alive connection must not carry the request: unrequested bytes may have arrived (a proxy's 408, a
    /// response behind the last one), which would be taken for the response to this request; it may have ended; or
    /// another request may still use it, or its server may still wait for the content of one.
    ///
    /// Uncertainty counts as stale. The request then goes out on a new connection, and nothing is lost.
    func isStale(_ connection: Connection) -> Bool {
        // In HTTP/2 each response names its stream.
        if connection.isNew || connection.version == .http2 { return false }
        if connection.mayHoldUnreadBytes || connection.sockets.isEmpty { return true }
        return connection.sockets.contains {
            loop.poll.table.mustNotBeReused($0) || loop.poll.table.isBusy($0) || ccurl_socket_is_readable($0.number)
        }
    }

    /// Ends the transfer if the settings demand a version that the connection does not speak.
    func requireVersion(of connection: Connection, for transfer: Transfer) {
        guard loop.environment.settings.connections.version == .http2, connection.version != .http2 else { return }
        let reason = "the server does not offer HTTP/2, which the settings demand"
        transfer.state.end(.versionUnavailable, stage: .tls, reason: reason)
    }

    /// Counts the connections that were made, and returns whether the latest one was made for this request: libcurl
    /// counts the connections of all attempts together.
    private func countNewConnection() -> Bool {
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

// The consequences of a response's head for its connection. libcurl reads these options when it needs them, so they can
// still be changed in its callbacks.

extension EasyHandle {
    /// Applies the consequences; most responses have none.
    func apply(_ policy: TransferState.ConnectionPolicy) {
        if policy == TransferState.ConnectionPolicy() { return }
        if policy.forbidsReuse { forbidReuse() }
        if policy.needsExcessText { enableExcessText() }
        if policy.needsProofOfEnd { observeEnd() }
    }

    /// Makes libcurl close the connection after this transfer.
    func forbidReuse() {
        applied.forbidsReuse = true
        ccurl_set_long(curl, CURLOPT_FORBID_REUSE, 1)
    }

    /// Reverts ``forbidReuse()``, unless the settings forbid the reuse of all connections.
    func allowReuse() {
        guard applied.forbidsReuse, !loop.environment.settings.connections.forbidsReuse else { return }
        applied.forbidsReuse = false
        ccurl_set_long(curl, CURLOPT_FORBID_REUSE, 0)
    }

    /// Makes libcurl call after each step, including the last one, while the TLS connection can still be examined.
    private func observeEnd() {
        applied.isReported = true
        ccurl_set_long(curl, CURLOPT_NOPROGRESS, 0)
    }

    /// Turns on libcurl's debug text, which alone reports bytes behind the end of a response.
    private func enableExcessText() {
        applied.needsExcessText = true
        applyVerbosity()
    }

    /// Turns the debug text off again.
    func disableExcessText() {
        guard applied.needsExcessText else { return }
        applied.needsExcessText = false
        applyVerbosity()
    }

    /// Turns CURLOPT_VERBOSE on while debug text is needed, for an HTTP/2 stream or for bytes behind the end of a
    /// response.
    @discardableResult
    func applyVerbosity() -> CURLcode {
        ccurl_set_long(curl, CURLOPT_VERBOSE, applied.needsExcessText || applied.needsStreamText ? 1 : 0)
    }
}
