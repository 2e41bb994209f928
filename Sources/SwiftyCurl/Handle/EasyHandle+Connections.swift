// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import SwiftyTransport

extension EasyHandle {
    /// Sets how long connections may be reused.
    func setUp(_ connections: TransportSettings.Connections, _ options: inout OptionWriter) {
        options.set(CURLOPT_MAXAGE_CONN, connections.maximumIdleTime.wholeSeconds)
        if let age = connections.maximumAge { options.set(CURLOPT_MAXLIFETIME_CONN, age.wholeSeconds) }
        if connections.forbidsReuse { options.set(CURLOPT_FORBID_REUSE, 1) }
    }
}

extension TransportSettings.Connections {
    /// Whether connections are never reused. libcurl takes zero for no limit.
    var forbidsReuse: Bool {
        maximumIdleTime <= .zero || maximumAge.map { $0 <= .zero } ?? false
    }
}

extension Duration {
    /// Whole seconds in libcurl's range, and never zero, which has another meaning there.
    fileprivate var wholeSeconds: Int { Int(min(max(1, components.seconds), Int64(Int32.max))) }
}

extension EasyHandle {
    /// Sets where connections lead.
    func setUp(_ addresses: TransportSettings.Addresses, _ options: inout OptionWriter) {
        if let overrides = loop.resolveOverrides { options.set(CURLOPT_RESOLVE, list: overrides) }
        if let path = addresses.unixSocketPath { options.set(CURLOPT_UNIX_SOCKET_PATH, path) }
        if let interface = addresses.localInterface { options.set(CURLOPT_INTERFACE, interface) }
        if let family = addresses.family.curlValue { options.set(CURLOPT_IPRESOLVE, family) }
    }
}

extension TransportSettings.Addresses {
    /// Appends the overrides to an empty list in the format of `CURLOPT_RESOLVE`. The caller frees the list.
    ///
    /// - Returns: `false` if allocation fails. A missing override would send requests elsewhere.
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
    var curlValue: Int? {
        switch self {
        case .any: nil
        case .ipv4: Int(CURL_IPRESOLVE_V4)
        case .ipv6: Int(CURL_IPRESOLVE_V6)
        }
    }
}
