// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import SwiftyTransport

extension EasyHandle {
    /// Whether libcurl repeats a request because its stream was refused (RFC 9113 §8.7), not because a connection died.
    ///
    /// It repeats in these two cases only. When an HTTP/2 connection dies, it first writes why into `errorText`; with a
    /// refused stream there is nothing to write. In HTTP/1 a connection may die without a word: therefore the request must
    /// be known to have gone out on a stream.
    var wasStreamRefused: Bool {
        stream.isOnStream && errorText.pointee == 0
    }

    /// Whether the server said that it will not look at the request: with GOAWAY, or by refusing it on each connection that
    /// libcurl tried.
    var isUnseen: Bool {
        stream.isUnseen || (stream.isOnStream && errorDescription.hasPrefix("Connection died, tried"))
    }

    /// Whether the request's connection was made for it; libcurl counts those of all tries.
    func tookNewConnection() -> Bool {
        let count = ccurl_get_long(curl, CURLINFO_NUM_CONNECTS)
        defer { connectCount = count }
        return count > connectCount
    }

    /// Notes what the request is about to be written to.
    func connectionIsReady(of transfer: Transfer, isNew: Bool) {
        stream.restart()
        let mustBeHTTP2 = loop.configuration.settings.connections.version == .http2
        if mustBeHTTP2, isNew, !stream.isHTTP2 {
            let reason = "the server does not offer HTTP/2, which the settings demand"
            transfer.state.end(.versionUnavailable, stage: .tls, reason: reason)
        }
    }
}
