// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// Which proxy requests go through.
public enum ProxySettings: Sendable, Hashable {
    /// None. The environment's variables are not looked at.
    case none
    /// One proxy for all requests but those to the excluded hosts.
    case proxy(Proxy, exceptions: ProxyExceptions = [])
    /// What `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` say when the transport is made.
    case fromEnvironment
}

/// A proxy and how it is spoken to.
public struct Proxy: Sendable, Hashable {
    /// How a proxy is spoken to.
    public enum Kind: String, Sendable, Hashable {
        /// HTTP: requests to `http` URLs are sent to it, others go through a tunnel (CONNECT, RFC 9110 §9.3.6).
        case http
        /// As http, over TLS.
        case https
        /// SOCKS 5 (RFC 1928); the proxy resolves names.
        case socks5
    }

    /// How it is spoken to.
    public var kind: Kind
    /// Where it is.
    public var address: HostAndPort
    /// The user name; `nil` if the proxy asks for none.
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

/// Hosts that are reached without the proxy: what `no_proxy` may hold.
public struct ProxyExceptions: Sendable, Hashable, ExpressibleByArrayLiteral {
    /// Host names, domains with a leading dot, addresses, CIDR blocks, each with a port if need be; `*` for all.
    public var entries: [String]

    /// Makes exceptions of entries.
    public init(_ entries: [String]) {
        self.entries = entries
    }

    /// Makes exceptions of entries.
    public init(arrayLiteral entries: String...) {
        self.init(entries)
    }
}
