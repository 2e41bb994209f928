// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The settings of a transport, fixed before its first request: TLS, proxy, addresses, connections and responses.
///
///     var settings = TransportSettings()
///     settings.tls.minimumVersion = .v1_3
///     let swifty = Swifty(transport: settings)
///
/// All connections of a transport use the same settings, so those of different identities never mix. Different settings
/// need different transports.
public struct TransportSettings: Sendable, Hashable {
    /// The trusted authorities, pins, client identity and lowest version of TLS.
    public var tls = TLS()
    /// The proxy for requests.
    public var proxy = ProxySelection.none
    /// The addresses to connect to and from.
    public var addresses = Addresses()
    /// The lifetime and number of connections, and their version of HTTP.
    public var connections = Connections()
    /// The rules and limits for responses.
    public var responses = Responses()

    /// Makes the default settings: the system's authorities, no proxy, any address, HTTP/2 where the server offers it
    /// over TLS, strict rules for responses.
    public init() {}
}

extension TransportSettings {
    /// The lifetime and number of connections, and their version of HTTP.
    public struct Connections: Sendable, Hashable {
        /// The version of HTTP.
        public enum Version: Sendable, Hashable {
            /// HTTP/2 over TLS where the server offers it, else HTTP/1.1.
            case automatic
            /// HTTP/1.1 only.
            case http1_1
            /// HTTP/2 only, and only over TLS. A server that does not offer it fails the load with
            /// ``SwiftyError/Code/versionUnavailable`` before it receives the request; so does an `http` URL.
            case http2
        }

        /// The version of HTTP.
        public var version = Version.automatic
        /// The longest time for which an idle connection is kept; zero or less reuses no connection.
        public var maximumIdleTime = Duration.seconds(118)
        /// The greatest age at which a connection is still reused; `nil` for any age, zero for none.
        public var maximumAge: Duration?
        /// The greatest number of connections of the transport to a host (scheme, host and port) that are open at one
        /// moment, at least 1; `nil` for any number.
        ///
        /// It counts what the server sees: connections in use, idle, shared by HTTP/2 requests, and being made, over
        /// all routes (`connectsTo`) and tunnels to the host. If an HTTP proxy forwards the requests to all `http`
        /// URLs, the proxy is the host.
        ///
        /// A request that needs a further connection waits until it is its turn, first come, first served, however it
        /// is routed. An idle connection that it cannot use is closed to make room. Its time limits keep running, and
        /// end it with ``SwiftyError/Code/timedOut`` in the stage `queue`. While the server's name has addresses of
        /// both families, an attempt may open a second socket for a moment (RFC 8305).
        ///
        /// With a limit, each host is served by one loop. `AdmissionPolicy.maximumLoadsPerHost` of the module Swifty
        /// is another limit: of loads, whether or not they share a connection, and without those that are idle.
        ///
        /// Zero or less fails every load with ``SwiftyError/Code/invalidSettings``.
        public var maximumPerHost: Int?
        /// The silence after which an HTTP/2 connection with requests in flight is sent a PING (RFC 9113 §6.7); `nil`
        /// sends none.
        ///
        /// If nothing at all arrives for as long again, the connection counts as lost, and so do its requests. Later
        /// requests use another connection. Zero or less fails every load with ``SwiftyError/Code/invalidSettings``.
        public var pingInterval: Duration? = .seconds(15)
        /// The size in bytes above which content waits for the server's consent (`Expect: 100-continue`, RFC 9110
        /// §10.1.1), for up to a second; `nil` never waits.
        ///
        /// A server that refuses the request by its head does not receive the content. Applies where the version is
        /// certain to be HTTP/1.1: for `http` URLs, and with ``version`` `.http1_1`. Ending an HTTP/2 stream early does
        /// not cost the connection.
        public var expectContinueThreshold: Int? = 1 << 20
        /// The differentiated services code point of the packets that are sent, 0...63 (RFC 2474); `nil` leaves them as
        /// the system sends them. Networks may treat packets by it, or change it.
        ///
        /// Usual values are 46 for voice, 34 for video, 18 for data that a person waits for (RFC 4594), and 1 for what
        /// may wait for everything else (RFC 8622). It marks what this side sends: the responses are marked by the
        /// server. Another number fails every load with ``SwiftyError/Code/invalidSettings``.
        public var dscp: Int?

        /// Makes the default settings.
        public init() {}
    }
}

extension TransportSettings {
    /// The addresses that a transport connects to and from.
    public struct Addresses: Sendable, Hashable {
        /// A family of addresses.
        public enum Family: Sendable, Hashable {
            /// Both; the first connection that is established is used (RFC 8305).
            case any
            /// IPv4 only.
            case ipv4
            /// IPv6 only.
            case ipv6
        }

        /// The addresses to use instead of a name lookup, by host (a name or an IPv4 address) and port, in the order in
        /// which they are tried.
        ///
        /// IPv4 in four decimal numbers, IPv6 with or without brackets. Anything else, and a host without addresses,
        /// fails every load with ``SwiftyError/Code/invalidSettings``.
        public var overrides: [HostAndPort: [String]] = [:]
        /// The path of a Unix domain socket that all requests are sent to, whatever their host. `Host`, SNI and
        /// certificate verification keep the URL's host.
        ///
        /// It excludes proxies and addresses: settings with both fail every load with
        /// ``SwiftyError/Code/invalidSettings``.
        public var unixSocketPath: String?
        /// The local address, host name or interface of connections.
        public var localInterface: String?
        /// The family of addresses to connect to.
        public var family = Family.any
        /// Whether connections to addresses that are not public are refused: loopback, link-local and private networks,
        /// and their IPv6 forms. It protects requests to URLs from untrusted sources (SSRF).
        ///
        /// Every address is checked before a socket is opened to it, after all name lookups. A refused one fails the
        /// load with ``SwiftyError/Code/addressDenied``. A proxy looks up names itself, so with a proxy every load
        /// fails with ``SwiftyError/Code/invalidSettings``.
        public var deniesPrivateNetworks = false

        /// Makes the default settings: any address.
        public init() {}
    }
}
