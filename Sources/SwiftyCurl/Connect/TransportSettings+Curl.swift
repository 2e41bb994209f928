// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import SwiftyTransport

// Settings in the form in which libcurl takes them.

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

extension TransportSettings.Addresses {
    /// Whether the settings allow a connection to the address.
    ///
    /// Anything other than an internet address, such as a Unix socket, is not public.
    func allows(_ address: UnsafePointer<curl_sockaddr>) -> Bool {
        guard deniesPrivateNetworks else { return true }
        let remote = NetworkAddress(writtenBy: { bytes in ccurl_address_bytes(address, bytes) })
        return remote?.isPublic ?? false
    }
}

extension TransportSettings.TLS.Version {
    var curlValue: Int {
        switch self {
        case .v1_2: Int(CURL_SSLVERSION_TLSv1_2)
        case .v1_3: Int(CURL_SSLVERSION_TLSv1_3)
        }
    }
}

extension TransportSettings.TLS.Pins {
    /// The pins of public keys, as `CURLOPT_PINNEDPUBLICKEY` takes them.
    var publicKeyOption: String? {
        if case .publicKeys(let pins) = self { pins.joined(separator: ";") } else { nil }
    }
}
