// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension TransportSettings {
    /// A proxy, with its protocol, address and credentials.
    ///
    /// Invalid values (a host that is neither a name nor an address, a port out of range, a user name with a control
    /// character) fail each request with ``SwiftyError/Code/invalidProxy``. Descriptions and dumps show neither user
    /// name nor password.
    public struct Proxy: Sendable, Hashable {
        /// The protocol of a proxy. The raw value is the scheme of its URL.
        public enum Kind: String, Sendable, Hashable, CaseIterable {
            /// HTTP. Requests to `http` URLs are sent to the proxy, others through a tunnel (CONNECT, RFC 9110 §9.3.6).
            case http
            /// HTTP over TLS. The proxy's certificate is verified like a server's.
            case https
            /// SOCKS 5 (RFC 1928); the proxy resolves names.
            case socks5 = "socks5h"
            /// SOCKS 5; names are resolved locally, and the proxy receives addresses.
            case socks5WithLocalNames = "socks5"

            /// The port if the URL has none: 80, 443 or 1080.
            public var defaultPort: Int {
                switch self {
                case .http: 80
                case .https: 443
                case .socks5, .socks5WithLocalNames: 1080
                }
            }

            /// Whether the protocol is HTTP, with or without TLS.
            package var isHTTP: Bool { self == .http || self == .https }
        }

        /// The protocol.
        public var kind: Kind
        /// The host and the port.
        public var address: HostAndPort
        /// The user name; `nil` if the proxy requires none.
        ///
        /// An HTTP proxy receives the credentials with every request or CONNECT (Basic, RFC 7617), a SOCKS proxy if it
        /// asks (RFC 1929). Except to an HTTPS proxy, they are sent in cleartext.
        public var user: String?
        /// The password.
        public var password: String?

        /// Makes a proxy from its parts.
        public init(_ kind: Kind, at address: HostAndPort, user: String? = nil, password: String? = nil) {
            self.kind = kind
            self.address = address
            self.user = user
            self.password = password
        }
    }
}

extension TransportSettings.Proxy: CustomStringConvertible, CustomReflectable {
    /// The proxy's URL, without its credentials.
    public var description: String {
        let credentials = user == nil && password == nil ? "" : "\(Redaction.placeholder)@"
        return Redaction.oneLine("\(kind.rawValue)://\(credentials)\(address)")
    }

    /// The ``description`` alone.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension TransportSettings {
    /// The choice of the proxy for requests.
    ///
    /// If the proxy fails, its requests fail: none is sent without it.
    public enum ProxySelection: Sendable, Hashable {
        /// No proxy. The environment's variables are ignored.
        case none
        /// One proxy for all requests except those to the excepted hosts.
        case proxy(Proxy, exceptions: ProxyExceptions = [])
        /// The variables `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` when the transport is made.
        ///
        /// Upper-case names also work, but lower-case ones take precedence. Only `HTTP_PROXY` is ignored, because a web
        /// server sets it to the value of a client's `Proxy` header field (CVE-2016-5385). A value that is not a
        /// proxy's URL fails the requests that it applies to, with ``SwiftyError/Code/invalidProxy``.
        case fromEnvironment
    }
}
