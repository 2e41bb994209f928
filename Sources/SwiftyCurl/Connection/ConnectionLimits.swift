// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTransport

/// The limits of connections, with times in nanoseconds; computed once, because every request needs them.
struct ConnectionLimits {
    /// The longest time for which a connection may be idle.
    let idleTime: Int64
    /// The greatest age at which a connection is reused; `.max` for any.
    let age: Int64
    /// The greatest number of connections to a host; `.max` for any.
    let countPerHost: Int

    init(_ connections: TransportSettings.Connections) {
        idleTime = connections.maximumIdleTime.nanoseconds
        age = connections.maximumAge?.nanoseconds ?? .max
        countPerHost = connections.maximumPerHost ?? .max
    }

    /// Whether connections are never reused.
    var forbidsReuse: Bool { idleTime == 0 || age == 0 }
    /// Whether the number of connections to a host is limited.
    var limitsCount: Bool { countPerHost != .max }
}
