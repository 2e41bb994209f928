// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTransport

/// The TLS settings of one host.
struct HostRules: Sendable, Equatable {
    /// Whether the chain of the certificate is verified.
    var isChainVerified = true
    /// Whether the certificate must be for the name of the host.
    var isNameVerified = true
    var pins: TransportSettings.TLS.Pins?
}

extension HostRules {
    /// The rules of all hosts that have any, by the normal form of the host.
    ///
    /// - Throws: ``/SwiftyTransport/SwiftyError`` for a malformed host or pin, and for an empty list: a pin that is
    ///   silently left out would protect nothing.
    static func rules(of settings: TransportSettings.TLS) throws(SwiftyError) -> [String: HostRules] {
        var rules: [String: HostRules] = [:]
        for host in settings.unverifiedHosts { rules[try name(host), default: HostRules()].skipVerification() }
        for host in settings.unverifiedNames { rules[try name(host), default: HostRules()].isNameVerified = false }
        for (host, pins) in settings.pins {
            let name = try name(host)
            guard rules[name]?.pins == nil else {
                throw .invalidSettings("the host \"\(name)\" is pinned twice, in different spellings")
            }
            rules[name, default: HostRules()].pins = try normalized(pins, of: host)
        }
        return rules
    }

    /// Whether the certificate proves that the server is the host.
    var isVerified: Bool { isChainVerified && isNameVerified }

    private mutating func skipVerification() {
        (isChainVerified, isNameVerified) = (false, false)
    }

    private static func name(_ host: String) throws(SwiftyError) -> String {
        guard let name = HostName.normalForm(host) else {
            throw .invalidSettings("\"\(host)\" is not a host name or address; write it without port and wildcard")
        }
        return name
    }

    private static func normalized(
        _ pins: TransportSettings.TLS.Pins,
        of host: String
    ) throws(SwiftyError) -> TransportSettings.TLS.Pins {
        switch pins {
        case .publicKeys(let list): .publicKeys(try normalized(list, of: host))
        case .certificates(let list): .certificates(try normalized(list, of: host))
        }
    }

    private static func normalized(_ pins: [String], of host: String) throws(SwiftyError) -> [String] {
        if pins.isEmpty { throw .invalidSettings("the list of pins of \(host) is empty") }
        var result: [String] = []
        for pin in pins {
            guard let pin = TransportSettings.TLS.Pins.normalized(pin) else {
                throw .invalidSettings(
                    "the pin \"\(pin)\" of \(host) is not \"sha256//\" and the base64 form of 32 bytes"
                )
            }
            result.append(pin)
        }
        return result
    }
}

extension SwiftyError {
    /// The error of settings that cannot be used.
    static func invalidSettings(_ reason: String) -> SwiftyError {
        SwiftyError(.invalidSettings, stage: .building, reason: reason)
    }
}
