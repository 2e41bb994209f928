// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension TransportSettings {
    /// Hosts that are reached without the proxy: what `no_proxy` may hold.
    ///
    /// | entry | what is reached without the proxy |
    /// |---|---|
    /// | `example.com`, `.example.com` | `example.com` and all names below it |
    /// | `*.example.com` | the names below `example.com`, not itself |
    /// | `10.1.2.3`, `::1`, `[::1]` | this address, however it is written; an IPv4 address in its IPv6 form, too |
    /// | `10.0.0.0/8`, `fd00::/8` | the addresses of this block |
    /// | each of these and `:8080`, as in `[::1]:8080` | the same, on this port only |
    /// | `*` | everything |
    ///
    /// Hosts count by their normal form, as ``TargetURI/host``: case and a dot at the end do not matter. Names are compared with names and addresses with addresses: nothing is looked
    /// up, so `localhost` does not stand for `127.0.0.1`. Nothing is excepted that is not listed, and an entry that is none of
    /// these excepts nothing.
    public struct ProxyExceptions: Sendable, Hashable, ExpressibleByArrayLiteral {
        /// The entries. One string may hold several, with commas or white space between them, as `no_proxy` does.
        public var entries: [String]

        /// Makes exceptions of entries.
        public init(_ entries: [String]) {
            self.entries = entries
        }

        /// Makes exceptions of entries.
        public init(arrayLiteral entries: String...) {
            self.init(entries)
        }

        /// Whether this peer is reached without the proxy.
        public func contains(_ peer: HostAndPort) -> Bool {
            rules.contains { $0.covers(PeerHost(peer.host), port: peer.port) }
        }

        /// The entries, read. Those that are none are left out.
        var rules: [ProxyExceptionRule] {
            entries.flatMap { $0.split { $0 == "," || $0.isWhitespace } }.compactMap { ProxyExceptionRule($0) }
        }
    }
}
