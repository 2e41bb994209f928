// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTransport

/// The TLS settings of one host.
struct HostRules: Sendable, Equatable {
    var isVerified = true
    var pins: TransportSettings.TLS.Pins?
}

extension HostRules {
    /// The rules of all hosts that have any, by the normal form of the host.
    ///
    /// - Throws: ``TLSSettingsError`` for a malformed host or pin, and for an empty list: a pin that is silently left
    ///   out would protect nothing.
    static func rules(of settings: TransportSettings.TLS) throws(TLSSettingsError) -> [String: HostRules] {
        var rules: [String: HostRules] = [:]
        for host in settings.unverifiedHosts { rules[try name(host), default: HostRules()].isVerified = false }
        for (host, pins) in settings.pins {
            let name = try name(host)
            guard rules[name]?.pins == nil else {
                throw TLSSettingsError(reason: "the host \"\(name)\" is pinned twice, in different spellings")
            }
            rules[name, default: HostRules()].pins = try normalized(pins, of: host)
        }
        return rules
    }

    private static func name(_ host: String) throws(TLSSettingsError) -> String {
        guard let name = HostName.normalForm(host) else {
            throw TLSSettingsError(
                reason: "\"\(host)\" is not a host name or address; write it without port and wildcard"
            )
        }
        return name
    }

    private static func normalized(
        _ pins: TransportSettings.TLS.Pins,
        of host: String
    ) throws(TLSSettingsError) -> TransportSettings.TLS.Pins {
        switch pins {
        case .publicKeys(let list): .publicKeys(try normalized(list, of: host))
        case .certificates(let list): .certificates(try normalized(list, of: host))
        }
    }

    private static func normalized(_ pins: [String], of host: String) throws(TLSSettingsError) -> [String] {
        if pins.isEmpty { throw TLSSettingsError(reason: "the list of pins of \(host) is empty") }
        var result: [String] = []
        for pin in pins {
            guard let pin = TransportSettings.TLS.Pins.normalized(pin) else {
                throw TLSSettingsError(
                    reason: "the pin \"\(pin)\" of \(host) is not \"sha256//\" and the base64 form of 32 bytes"
                )
            }
            result.append(pin)
        }
        return result
    }
}
