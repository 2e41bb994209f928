// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import SwiftyTransport

extension EasyHandle {
    /// How long the handle's connections may be used.
    func setUp(_ connections: TransportSettings.Connections, _ options: inout OptionWriter) {
        options.set(CURLOPT_MAXAGE_CONN, connections.maximumIdleTime.wholeSeconds)
        if let age = connections.maximumAge { options.set(CURLOPT_MAXLIFETIME_CONN, age.wholeSeconds) }
        if connections.forbidsReuse { options.set(CURLOPT_FORBID_REUSE, 1) }
    }
}

extension TransportSettings.Connections {
    /// Whether no connection may be used twice. libcurl takes zero for no limit at all.
    var forbidsReuse: Bool {
        maximumIdleTime <= .zero || maximumAge.map { $0 <= .zero } ?? false
    }
}

extension Duration {
    /// In libcurl's range, and never zero, which means something else there.
    fileprivate var wholeSeconds: Int { Int(min(max(1, components.seconds), Int64(Int32.max))) }
}

extension EasyHandle {
    /// Where the handle's connections lead.
    func setUp(_ addresses: TransportSettings.Addresses, _ options: inout OptionWriter) {
        if let overrides = loop.resolveOverrides { options.set(CURLOPT_RESOLVE, list: overrides) }
        if let path = addresses.unixSocketPath { options.set(CURLOPT_UNIX_SOCKET_PATH, path) }
        if let interface = addresses.localInterface { options.set(CURLOPT_INTERFACE, interface) }
        if let family = addresses.family.curlValue { options.set(CURLOPT_IPRESOLVE, family) }
    }
}

extension TransportSettings.Addresses {
    /// Writes the overrides in the form of `CURLOPT_RESOLVE` to an empty list; the caller frees it.
    ///
    /// - Returns: false when memory is short. An override that is left out would send requests elsewhere.
    func writeOverrides(to list: inout UnsafeMutablePointer<curl_slist>?) -> Bool {
        for (name, values) in overrides {
            let addresses = values.map { $0.isBracketed ? $0 : $0.contains(":") ? "[\($0)]" : $0 }
            guard let longer = curl_slist_append(list, "\(name):\(addresses.joined(separator: ","))") else {
                return false
            }
            list = longer
        }
        return true
    }
}

extension TransportSettings.Addresses.Family {
    fileprivate var curlValue: Int? {
        switch self {
        case .any: nil
        case .ipv4: Int(CURL_IPRESOLVE_V4)
        case .ipv6: Int(CURL_IPRESOLVE_V6)
        }
    }
}
