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

extension NetworkRequest {
    /// Whether the content waits for the server to ask for it. Of a connection that may turn out to speak HTTP/2 it does not.
    func expectsContinue(_ connections: TransportSettings.Connections) -> Bool {
        guard let threshold = connections.expectContinueThreshold, let count = body?.count, count > threshold else {
            return false
        }
        return target.scheme == .http || connections.version == .http1_1
    }
}
