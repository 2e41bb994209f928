// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

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
        guard digits.utf8.allSatisfy(\.isASCIIDigit), let port = Int(digits), (1...65_535).contains(port) else {
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
