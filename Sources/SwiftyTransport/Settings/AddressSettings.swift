// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// Which addresses a transport connects to, and from where.
public struct AddressSettings: Sendable, Hashable {
    /// Which family of addresses is used.
    public enum Family: Sendable, Hashable {
        /// Both; the one that answers first wins (RFC 8305).
        case any
        /// IPv4 alone.
        case ipv4
        /// IPv6 alone.
        case ipv6
    }

    /// Addresses that are used instead of a name lookup, by host and port.
    public var overrides: [HostAndPort: [String]] = [:]
    /// The socket in the file system that all requests are sent to, whatever host they name.
    public var unixSocketPath: String?
    /// The local address, host name or interface that connections come from.
    public var localInterface: String?
    /// Which family of addresses is used.
    public var family = Family.any
    /// Whether addresses that are not public are refused, whatever name led there: loopback, link-local, private networks,
    /// and the ways to write these in IPv6. Against requests that a stranger has chosen the URL of (SSRF).
    public var deniesPrivateNetworks = false

    /// Makes the default settings: any address.
    public init() {}
}
