// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import SwiftyTransport

extension EasyHandle {
    /// Whether something may have arrived on a kept-alive connection although nothing was asked: a proxy's 408, an answer behind
    /// the last one, the connection's end. It would be taken for the answer to this request.
    ///
    /// What cannot be found out counts as stale. The request then goes out on a new connection, and nothing is lost.
    ///
    /// - Parameter sockets: Those that may be the connection's: one, or several that cannot be told apart.
    func isStale(_ sockets: [Int32], of transfer: Transfer) -> Bool {
        let isSecure = transfer.target.scheme == .https
        let isProxySecure = transfer.proxy?.kind == .https
        if isSecure || isProxySecure {
            let tls = ccurl_get_tls(curl)
            guard tls.is_known else { return true }
            // Each of its answers names its stream.
            if isSecure, tls.speaks_http2 { return false }
            // Of two layers of TLS, libcurl shows only the inner one.
            if tls.has_unread || isSecure && isProxySecure { return true }
        }
        return sockets.isEmpty || sockets.contains { loop.poll.table.isSpoiled($0) || ccurl_socket_is_readable($0) }
    }
}
