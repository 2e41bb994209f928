// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTransport

import struct Foundation.Data

/// The properties of a connection's peer in which requests may differ. Requests with equal keys may share connections.
///
/// All other settings of the peer (TLS, addresses) are the same for all connections of a transport.
struct ConnectionKey: Sendable, Hashable {
    /// The origin (`http://example.com:8080`); empty if an HTTP proxy serves all origins over the same connections.
    let origin: String
    /// The detour to the origin; `nil` for a direct connection.
    let detour: Detour?
    /// Whether the server has demanded HTTP/1.1 for such requests.
    private(set) var requiresHTTP1 = false
    /// The hash of the other properties, computed once, on the thread of the caller.
    private let hash: Int

    init(_ request: NetworkRequest, proxy: TransportSettings.Proxy?) {
        let isForwarded = proxy?.forwards(request) ?? false
        origin = isForwarded ? "" : request.target.origin
        let isDirect = request.connectsTo == nil && proxy == nil
        detour = isDirect ? nil : Detour(to: request.connectsTo, through: proxy)
        var hasher = Hasher()
        hasher.combine(origin)
        if let detour { hasher.combine(detour) }
        hash = hasher.finalize()
    }

    /// The same peer, over HTTP/1.1.
    var overHTTP1: ConnectionKey {
        var key = self
        key.requiresHTTP1 = true
        return key
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(hash)
    }
}

extension ConnectionKey {
    /// The peer that is connected to instead of the origin. Boxed, because most requests have none.
    final class Detour: Sendable, Hashable {
        /// The host and port to use instead of the origin's; `nil` for the origin's.
        let peer: HostAndPort?
        /// The proxy; `nil` for none.
        let proxy: TransportSettings.Proxy?

        init(to peer: HostAndPort?, through proxy: TransportSettings.Proxy?) {
            self.peer = peer
            self.proxy = proxy
        }

        static func == (one: Detour, other: Detour) -> Bool {
            one === other || one.peer == other.peer && one.proxy == other.proxy
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(peer)
            hasher.combine(proxy?.address)
        }
    }
}

extension TransportSettings.Proxy {
    /// Whether the proxy receives the request itself and forwards it: an HTTP proxy, without a tunnel.
    func forwards(_ request: NetworkRequest) -> Bool {
        kind.isHTTP && request.target.scheme == .http && request.connectsTo == nil
    }

    /// Whether the proxy is given a user name and a password.
    var hasLogin: Bool { user != nil || password != nil }

    /// The `Proxy-Authorization` of a request that the proxy forwards (RFC 7617); `nil` without a login.
    var authorization: String? {
        guard hasLogin else { return nil }
        return "Basic " + Data("\(user ?? ""):\(password ?? "")".utf8).base64EncodedString()
    }
}
