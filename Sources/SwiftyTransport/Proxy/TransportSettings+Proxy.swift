// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension TransportSettings {
    /// A proxy and how it is spoken to.
    ///
    /// What cannot be used (a host that is no name or address, a port that is none, a user name with a line end) fails each
    /// request with SwiftyError/Code/invalidProxy. Descriptions and dumps show neither user name nor password.
    public struct Proxy: Sendable, Hashable {
        /// How a proxy is spoken to; the raw value is the scheme of its URL.
        public enum Kind: String, Sendable, Hashable, CaseIterable {
            /// HTTP: requests to `http` URLs are sent to it, others go through a tunnel (CONNECT, RFC 9110 §9.3.6).
            case http
            /// As http, over TLS; the proxy's certificate is verified like a server's.
            case https
            /// SOCKS 5 (RFC 1928); the proxy resolves names.
            case socks5 = "socks5h"
            /// SOCKS 5; names are resolved here, and the proxy gets addresses.
            case socks5WithLocalNames = "socks5"

            /// The port that is meant when a URL names none: 80, 443, 1080.
            public var defaultPort: Int {
                switch self {
                case .http: 80
                case .https: 443
                case .socks5, .socks5WithLocalNames: 1080
                }
            }

            /// Whether the proxy speaks HTTP, be it over TLS.
            package var isHTTP: Bool { self == .http || self == .https }
        }

        /// How it is spoken to.
        public var kind: Kind
        /// Where it is.
        public var address: HostAndPort
        /// The user name; `nil` if the proxy asks for none.
        ///
        /// An HTTP proxy gets it with every request or CONNECT (Basic, RFC 7617), a SOCKS proxy if it asks (RFC 1929). Over
        /// cleartext both can be read on the way: use an HTTPS proxy where that matters.
        public var user: String?
        /// The password.
        public var password: String?

        /// Makes a proxy of its parts.
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

    /// Nothing beyond the description.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension TransportSettings {
    /// Which proxy requests go through.
    ///
    /// A request that goes to a proxy fails if the proxy does: none is ever sent around it instead.
    public enum ProxySelection: Sendable, Hashable {
        /// None. The environment's variables are not looked at.
        case none
        /// One proxy for all requests but those to the excluded hosts.
        case proxy(Proxy, exceptions: ProxyExceptions = [])
        /// What `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` say when the transport is made.
        ///
        /// The names may be in upper case, too, and lower case counts more; only `HTTP_PROXY` is never looked at, because a
        /// web server sets it to what a client sends as its `TransportSettings.Proxy` header field (CVE-2016-5385). A value that is no proxy's
        /// URL fails the requests that it is for, with SwiftyError/Code/invalidProxy.
        case fromEnvironment
    }
}
