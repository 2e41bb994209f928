// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import SwiftyTransport

extension EasyHandle {
    /// Which proxy the handle's connections go through.
    func setUp(_ proxy: ProxySettings, _ options: inout OptionWriter) {
        // The empty string switches off the environment's proxies, too.
        options.set(CURLOPT_PROXY, "")
    }
}
