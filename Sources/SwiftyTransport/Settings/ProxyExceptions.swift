// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

extension TransportSettings {
    /// Hosts that are reached without the proxy, in the format of `no_proxy`.
    ///
    /// | entry | reached without the proxy |
    /// |---|---|
    /// | `example.com`, `.example.com` | `example.com` and all names below it |
    /// | `*.example.com` | all names below `example.com`, but not `example.com` |
    /// | `10.1.2.3`, `::1`, `[::1]` | this address in any spelling, including the IPv6 form of an IPv4 address |
    /// | `10.0.0.0/8`, `fd00::/8` | the addresses of this block |
    /// | a name or an address with a port, such as `[::1]:8080` | the same, on this port only |
    /// | `*` | everything |
    ///
    /// Hosts are compared in their normal form (``TargetURI/host``), so case and a final dot do not matter. Names are
    /// compared with names, and addresses with addresses, without lookups: `localhost` does not stand for `127.0.0.1`.
    /// An entry of any other form excepts nothing.
    public struct ProxyExceptions: Sendable, Hashable, ExpressibleByArrayLiteral {
        /// The entries. One string may contain several, separated by commas or white space, as `no_proxy` does.
        public var entries: [String]

        /// Makes exceptions from entries.
        public init(_ entries: [String]) {
            self.entries = entries
        }

        /// Makes exceptions from entries.
        public init(arrayLiteral entries: String...) {
            self.init(entries)
        }

        /// Whether a peer is reached without the proxy.
        public func contains(_ peer: HostAndPort) -> Bool {
            rules.contains { $0.covers(PeerHost(peer.host), port: peer.port) }
        }

        /// The parsed entries, without the invalid ones.
        var rules: [ProxyExceptionRule] {
            entries.flatMap { $0.split { $0 == "," || $0.isWhitespace } }.compactMap { ProxyExceptionRule($0) }
        }
    }
}

/// A parsed entry of ``TransportSettings/ProxyExceptions``.
struct ProxyExceptionRule: Sendable, Hashable {
    private enum Hosts: Hashable {
        case all
        case domain(String)
        case below(String)
        case block(AddressBlock)
    }

    private let hosts: Hosts
    private let port: Int?

    /// Returns `nil` if the entry is invalid.
    init?(_ entry: Substring) {
        guard let (host, port) = Self.splitPort(entry), let hosts = Self.hosts(of: host) else { return nil }
        self.hosts = hosts
        self.port = port
    }

    /// Splits off the port, which follows `]:` or the only colon.
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

/// The host of a request, as a name or an address.
enum PeerHost: Hashable {
    case name(String)
    case address(NumericAddress)
    /// Neither, such as `[::1%25.example.com]`, which must not match as a name below `example.com`.
    case other

    init(_ host: String) {
        if let address = NumericAddress(host) {
            self = .address(address)
        } else {
            self = HostName.normalForm(host).map { .name($0) } ?? .other
        }
    }
}
