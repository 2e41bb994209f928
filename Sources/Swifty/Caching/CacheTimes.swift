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

    /// Whether another response was requested later and was there earlier, so that this one may be of an older state.
    ///
    /// Of other responses it is not known, also because the clock may have been set.
    func isOvertaken(by other: CacheTimes) -> Bool {
        requested < other.requested && other.received <= received
    }
}
