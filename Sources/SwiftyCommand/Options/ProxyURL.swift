// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import Swifty

/// `[http|https|socks5]://[USER:PASS@]HOST[:PORT]`; HTTP unless a scheme is given.
struct ProxyURL: ExpressibleByArgument, Equatable {
    let proxy: Proxy

    init?(argument: String) {
        let (scheme, rest) = Self.split(argument, at: "://") ?? ("http", argument[...])
        guard let kind = Self.kinds[scheme.lowercased()] else { return nil }
        let authority = rest.prefix { $0 != "/" }
        let at = authority.lastIndex(of: "@")
        let place = at.map { authority[$0...].dropFirst() } ?? authority
        let text = HostPortText(place, defaultPort: Self.defaultPorts[kind] ?? 1080)
        guard let address = text?.hostAndPort, let user = Self.user(at.map { authority[..<$0] }) else { return nil }
        proxy = Proxy(kind, at: address, user: user.name, password: user.password)
    }

    private static let kinds: [String: Proxy.Kind] = [
        "http": .http, "https": .https, "socks5": .socks5, "socks5h": .socks5,
    ]
    private static let defaultPorts: [Proxy.Kind: Int] = [.http: 80, .https: 443, .socks5: 1080]

    /// Name and password without their percent-encoding; `nil` if that is broken.
    private static func user(_ text: Substring?) -> (name: String?, password: String?)? {
        guard let text else { return (nil, nil) }
        let (name, password) = split(String(text), at: ":") ?? (String(text), nil)
        guard let name = name.removingPercentEncoding else { return nil }
        guard let password else { return (name, nil) }
        return String(password).removingPercentEncoding.map { (name, $0) }
    }

    private static func split(_ text: String, at separator: String) -> (String, Substring?)? {
        text.firstRange(of: separator).map { (String(text[..<$0.lowerBound]), text[$0.upperBound...]) }
    }

    private static func split(_ text: String, at separator: String) -> (String, Substring)? {
        text.firstRange(of: separator).map { (String(text[..<$0.lowerBound]), text[$0.upperBound...]) }
    }
}

/// `HOST[:PORT]`, with an IPv6 address in brackets.
struct HostPortText {
    let hostAndPort: HostAndPort

    init?(_ text: some StringProtocol, defaultPort: Int?) {
        let end = text.first == "[" ? text.lastIndex(of: "]") : nil
        let colon = text[(end ?? text.startIndex)...].firstIndex(of: ":")
        let host = text[..<(colon ?? text.endIndex)]
        let port = colon.map { Int(text[$0...].dropFirst()) } ?? defaultPort
        guard !host.isEmpty, let port, (1...65_535).contains(port) else { return nil }
        hostAndPort = HostAndPort(host: host.lowercased(), port: port)
    }
}

/// `HOST:PORT:ADDR[,ADDR…]`, as curl has it.
struct AddressOverride: ExpressibleByArgument, Equatable {
    let host: HostAndPort
    let addresses: [String]

    init?(argument: String) {
        // The host may be an IPv6 address in brackets; the addresses may have colons of their own.
        let hostEnd = argument.first == "[" ? argument.firstIndex(of: "]") : nil
        guard let first = argument[(hostEnd ?? argument.startIndex)...].firstIndex(of: ":"),
            let second = argument[argument.index(after: first)...].firstIndex(of: ":"),
            let host = HostPortText(argument[..<second], defaultPort: nil)
        else { return nil }
        addresses = argument[second...].dropFirst().split(separator: ",").map(Self.withoutBrackets)
        self.host = host.hostAndPort
        if addresses.isEmpty { return nil }
    }

    private static func withoutBrackets(_ address: Substring) -> String {
        address.hasPrefix("[") && address.hasSuffix("]") ? String(address.dropFirst().dropLast()) : String(address)
    }
}
