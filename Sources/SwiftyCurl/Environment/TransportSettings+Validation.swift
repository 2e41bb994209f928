// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import SwiftySupport
import SwiftyTransport

extension String {
    var isBracketed: Bool { first == "[" && last == "]" }

    /// The text without the brackets of an IPv6 address.
    fileprivate var unbracketed: String { isBracketed ? String(dropFirst().dropLast()) : self }
}

extension TransportSettings.Addresses {
    /// The reason why the settings are invalid; `nil` if they are valid.
    var validationError: String? {
        overrides.firstResult(of: Self.error) ?? Self.error(path: unixSocketPath)
            ?? Self.error(interface: localInterface)
    }

    private static func error(of host: HostAndPort, _ addresses: [String]) -> String? {
        guard host.isValid, !host.host.isBracketed else {
            return "the override of \(host) is not for a host name and port"
        }
        if addresses.isEmpty { return "the override of \(host) has no addresses" }
        guard let wrong = addresses.first(where: { !isAddress($0) }) else { return nil }
        return "the override of \(host) leads to \"\(wrong)\", which is not an address"
    }

    private static func isAddress(_ text: String) -> Bool {
        switch NetworkAddress(text.unbracketed) {
        case .ipv4: !text.isBracketed
        case .ipv6: true
        case nil: false
        }
    }

    /// `sockaddr_un` has room for 107 bytes and a terminator.
    private static func error(path: String?) -> String? {
        guard let path, path.isEmpty || path.utf8.count > 107 || path.utf8.contains(0) else { return nil }
        return "the path of the socket is empty or longer than 107 bytes"
    }

    private static func error(interface: String?) -> String? {
        guard let interface, interface.isEmpty || !interface.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            return nil
        }
        return "the local interface is neither an interface name nor an address"
    }
}

extension TransportSettings.Connections {
    /// The reason why the settings are invalid; `nil` if they are valid.
    fileprivate var validationError: String? {
        if let maximumPerHost, maximumPerHost < 1 {
            return "the number of connections to a host is limited to \(maximumPerHost), so that none could be opened"
        }
        if let dscp, !(0...63).contains(dscp) { return "\(dscp) is no code point of differentiated services, 0 to 63" }
        guard let pingInterval, pingInterval <= .zero else { return nil }
        return "a PING cannot follow a silence of \(pingInterval), which no server can break"
    }
}

extension TransportSettings {
    /// The error of every request with these settings; `nil` if they are usable.
    var validationError: SwiftyError? {
        let reason = addresses.validationError ?? connections.validationError ?? contradiction
        return reason.map { .invalidSettings($0) }
    }

    /// The reason why one setting would silently override another one; `nil` if none does.
    private var contradiction: String? {
        if addresses.unixSocketPath != nil, let name = settingWithoutEffectOnSocket {
            return "all requests go to the socket in the file system, so the settings can have no \(name)"
        }
        if addresses.deniesPrivateNetworks, proxy != .none {
            return "the settings deny private networks, which cannot be checked through a proxy"
        }
        return nil
    }

    /// The name of a setting that a Unix socket leaves without effect; `nil` if all have an effect.
    private var settingWithoutEffectOnSocket: String? {
        if proxy != .none { return "proxy" }
        if !addresses.overrides.isEmpty { return "address overrides" }
        if addresses.localInterface != nil { return "local interface" }
        if connections.dscp != nil { return "code point of packets" }
        return addresses.family == .any ? nil : "family of addresses"
    }
}
