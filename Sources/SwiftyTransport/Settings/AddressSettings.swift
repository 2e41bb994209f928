// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

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
