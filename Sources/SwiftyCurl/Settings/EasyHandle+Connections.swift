// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import SwiftyTransport

extension EasyHandle {
    /// How long the handle's connections may be used.
    func setUp(_ connections: ConnectionSettings, _ options: inout OptionWriter) {
        options.set(CURLOPT_MAXAGE_CONN, Int(connections.maximumIdleTime.nanoseconds / 1_000_000_000))
        if let age = connections.maximumAge {
            options.set(CURLOPT_MAXLIFETIME_CONN, Int(max(1, age.nanoseconds / 1_000_000_000)))
        }
    }
}
