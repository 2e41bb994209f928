// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Swifty

/// `HOST:PORT:ADDR[,ADDR…]`, as curl has it.
struct AddressOverride: ExpressibleByArgument, Equatable {
    let host: HostAndPort
    let addresses: [String]

    init?(argument: String) {
        // The host may be an IPv6 address in brackets; the addresses may have colons of their own.
        let hostEnd = argument.first == "[" ? argument.firstIndex(of: "]") : nil
        guard let first = argument[(hostEnd ?? argument.startIndex)...].firstIndex(of: ":"),
            let second = argument[argument.index(after: first)...].firstIndex(of: ":"),
            let host = HostPortText(argument[..<second])
        else { return nil }
        addresses = argument[second...].dropFirst().split(separator: ",").map(Self.withoutBrackets)
        self.host = host.hostAndPort
        if addresses.isEmpty { return nil }
    }

    private static func withoutBrackets(_ address: Substring) -> String {
        address.hasPrefix("[") && address.hasSuffix("]") ? String(address.dropFirst().dropLast()) : String(address)
    }
}

/// `HOST:PORT`, with an IPv6 address in brackets.
private struct HostPortText {
    let hostAndPort: HostAndPort

    init?(_ text: Substring) {
        let end = text.first == "[" ? text.lastIndex(of: "]") : nil
        guard let colon = text[(end ?? text.startIndex)...].firstIndex(of: ":") else { return nil }
        let host = text[..<colon]
        guard !host.isEmpty, let port = Int(text[colon...].dropFirst()), (1...65_535).contains(port) else { return nil }
        hostAndPort = HostAndPort(host: String(host), port: port)
    }
}
