// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// When a response was requested and received, in seconds since 1970.
struct CacheTimes: Sendable, Equatable {
    let requested: Double
    let received: Double

    init(requested: Double, received: Double) {
        // A clock that was set back in between says nothing about the delay.
        self.requested = min(requested, received)
        self.received = received
    }
}
