// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A rate in bytes a second, which any number of transfers share.
///
///     let nightly = Bandwidth(bytesPerSecond: 1_000_000)
///     try await Files.archive("v1").limitRate(download: nightly).download(to: folder)
///     try await Files.archive("v2").limitRate(download: nightly).download(to: folder)
///
/// It counts bytes of content as they are transferred, before any decoding. The transfers get their turns in the order
/// in which they ask. Its clock is that of the network interface that uses it first. May be used from any thread.
public final class Bandwidth: Sendable {
    /// The rate, at least 1.
    public let bytesPerSecond: Int

    private struct State {
        /// `nil` before the first use.
        var clock: LoadClock?
        /// The end of the time that is already reserved.
        var free = Duration.zero
    }

    private let state = Mutex(State())

    /// Makes a rate; one below 1 becomes 1.
    public init(bytesPerSecond: Int) {
        self.bytesPerSecond = max(1, bytesPerSecond)
    }

    /// The number of bytes that are transferred in a tenth of a second, into which larger parts are divided.
    package var sliceSize: Int { max(1, bytesPerSecond / 10) }

    /// Reserves bytes.
    ///
    /// - Returns: The time until they may be transferred, and its clock.
    package func reserve(_ count: Int, clock: LoadClock) -> (Duration, LoadClock) {
        let duration = Duration.nanoseconds(Int64(Double(count) / Double(bytesPerSecond) * 1_000_000_000))
        return state.withLock { state in
            let clock = state.clock ?? clock
            state.clock = clock
            // Time that was not used is lost, so that a pause is not followed by a burst.
            let now = clock.now()
            let start = max(state.free, now)
            state.free = start + duration
            return (start - now, clock)
        }
    }
}
