// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// What a transport is told once, before its first request: whom it trusts, which way it goes, what it accepts.
///
///     var settings = TransportSettings()
///     settings.tls.minimumVersion = .v1_3
///     let swifty = Swifty(transport: settings)
///
/// Every connection of a transport is made by the same settings, so connections of different identities never mix: two
/// settings are two transports.
public struct TransportSettings: Sendable, Hashable {
    /// Whom to trust, and who to be.
    public var tls = TLS()
    /// Which proxy requests go through.
    public var proxy = ProxySelection.none
    /// Which addresses are connected to, and from where.
    public var addresses = Addresses()
    /// How long connections live, and which version of HTTP they speak.
    public var connections = Connections()
    /// What a response may be like.
    public var responses = Responses()

    /// Makes the default settings: the system's authorities, no proxy, any address, HTTP/2 where the server offers it over
    /// TLS, strict responses.
    public init() {}
}

extension TransportSettings {
    /// How long connections live, and which version of HTTP they speak.
    public struct Connections: Sendable, Hashable {
        /// Which version of HTTP is spoken.
        public enum Version: Sendable, Hashable {
            /// HTTP/2 over TLS where the server offers it, else HTTP/1.1.
            case automatic
            /// HTTP/1.1 alone.
            case http1_1
            /// HTTP/2 alone; only over TLS. A server that does not offer it fails the load with
            /// ``SwiftyError/Code/versionUnavailable`` before it sees the request, as does an `http` URL.
            case http2
        }

        /// Which version of HTTP is spoken.
        public var version = Version.automatic
        /// How long a connection may be idle and still be used again; zero, or less, for no connection to be used twice.
        ///
        /// In whole seconds, rounded up to one and else down. A connection may be used until the next second begins.
        public var maximumIdleTime = Duration.seconds(118)
        /// How old a connection may be and still be used again; `nil` for any age, zero for none. In whole seconds, as
        /// ``maximumIdleTime``.
        public var maximumAge: Duration?
        /// Content larger than so many bytes is sent when the server has asked for it (`Expect: 100-continue`, RFC 9110
        /// §10.1.1), or has said nothing for a second; `nil` never waits.
        ///
        /// A server that refuses the request by its head alone does not get the content. Applies where HTTP/1.1 is sure to be
        /// spoken: `http` URLs, and ``version`` `.http1_1`. An HTTP/2 stream can be ended at no such cost.
        public var expectContinueThreshold: Int? = 1 << 20

        /// Makes the default settings.
        public init() {}
    }
}

extension TransportSettings {
    /// Which addresses a transport connects to, and from where.
    public struct Addresses: Sendable, Hashable {
        /// Which family of addresses is used.
        public enum Family: Sendable, Hashable {
            /// Both; the one that answers first wins (RFC 8305).
            case any
            /// IPv4 alone.
            case ipv4
            /// IPv6 alone.
            case ipv6
        }

        /// Addresses that are used instead of a name lookup, by host (a name or an IPv4 address) and port, in the order in which
        /// they are tried.
        ///
        /// IPv4 in four decimal numbers, IPv6 with brackets or without. What is none of these, or a host without addresses,
        /// fails every load with ``SwiftyError/Code/invalidSettings``.
        public var overrides: [HostAndPort: [String]] = [:]
        /// The socket in the file system that all requests are sent to, whatever host they name. `Host`, SNI and the check of
        /// the certificate keep the URL's host.
        ///
        /// With it no proxy is used and no address connected to: settings that ask for these, too, fail every load with
        /// ``SwiftyError/Code/invalidSettings``.
        public var unixSocketPath: String?
        /// The local address, host name or interface that connections come from.
        public var localInterface: String?
        /// Which family of addresses is used.
        public var family = Family.any
        /// Whether addresses that are not public are refused, whatever name led there: loopback, link-local, private networks,
        /// and the ways to write these in IPv6. Against requests that a stranger has chosen the URL of (SSRF).
        ///
        /// Every address is judged when a socket is to be opened to it, after all name lookups, and the load fails with
        /// ``SwiftyError/Code/addressDenied``. A proxy looks up names itself, so with one every load fails with
        /// ``SwiftyError/Code/invalidSettings``.
        public var deniesPrivateNetworks = false

        /// Makes the default settings: any address.
        public init() {}
    }
}
