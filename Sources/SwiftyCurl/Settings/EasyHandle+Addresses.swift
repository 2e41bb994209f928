// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import SwiftyTransport

extension EasyHandle {
    /// Where the handle's connections lead.
    func setUp(_ addresses: AddressSettings, _ options: inout OptionWriter) {
        if let overrides = loop.resolveOverrides { options.set(CURLOPT_RESOLVE, list: overrides) }
    }
}

extension AddressSettings {
    /// The overrides in the form of `CURLOPT_RESOLVE`; the caller frees the list.
    func resolveList() -> UnsafeMutablePointer<curl_slist>? {
        overrides.reduce(nil) { list, override in
            curl_slist_append(list, "\(override.key):\(override.value.joined(separator: ","))") ?? list
        }
    }
}
