// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

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

/// One entry of ``TransportSettings/ProxyExceptions``.
struct ProxyExceptionRule: Sendable, Hashable {
    private enum Hosts: Hashable {
        case all
        case domain(String)
        case below(String)
        case block(AddressBlock)
    }

    private let hosts: Hosts
    private let port: Int?

    /// Returns nil if the entry is none.
    init?(_ entry: Substring) {
        guard let (host, port) = Self.splitPort(entry), let hosts = Self.hosts(of: host) else { return nil }
        self.hosts = hosts
        self.port = port
    }

    /// A port follows a bracket or the only colon: the colons of an address are not a port's.
    private static func splitPort(_ entry: Substring) -> (Substring, Int?)? {
        guard let colon = entry.lastIndex(of: ":") else { return (entry, nil) }
        let host = entry[..<colon]
        guard host.last == "]" || !host.contains(":") else { return (entry, nil) }
        let digits = entry[colon...].dropFirst()
        guard digits.utf8.isDecimal, let port = Int(digits), (1...65_535).contains(port) else {
            return nil
        }
        return (host, port)
    }

    private static func hosts(of text: Substring) -> Hosts? {
        if text == "*" { return .all }
        if let block = AddressBlock(HostName.normalForm(text)?[...] ?? text) { return .block(block) }
        let isBelow = text.hasPrefix("*.")
        let domain = text.drop { $0 == "*" }
        guard isBelow || domain.count == text.count,
            let host = HostName.normalForm(domain.first == "." ? domain.dropFirst() : domain),
            NumericAddress(host) == nil
        else { return nil }
        return isBelow ? .below(host) : .domain(host)
    }

    func covers(_ host: PeerHost, port: Int) -> Bool {
        if let own = self.port, own != port { return false }
        switch (hosts, host) {
        case (.all, _): return true
        case (.block(let block), .address(let address)): return block.contains(address)
        case (.domain(let domain), .name(let name)): return name == domain || name.hasSuffix(".\(domain)")
        case (.below(let domain), .name(let name)): return name.hasSuffix(".\(domain)")
        default: return false
        }
    }
}

/// The host of a request, as exceptions see it.
enum PeerHost: Hashable {
    case name(String)
    case address(NumericAddress)
    /// Neither, as `[::1%25.example.com]` is: it must not pass for a name that ends like an excepted one.
    case other

    init(_ host: String) {
        if let address = NumericAddress(host) {
            self = .address(address)
        } else {
            self = HostName.normalForm(host).map { .name($0) } ?? .other
        }
    }
}
