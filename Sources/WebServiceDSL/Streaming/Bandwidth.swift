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
/// in which they ask. May be used from any thread.
public final class Bandwidth: Sendable {
    /// The rate, at least 1.
    public let bytesPerSecond: Int

    private let now: @Sendable () -> Duration
    /// The time from which on bytes are free.
    private let free = Mutex(Duration.zero)

    /// Makes a rate; one below 1 becomes 1.
    public convenience init(bytesPerSecond: Int) {
        let clock = ContinuousClock()
        let start = clock.now
        self.init(bytesPerSecond: bytesPerSecond) { start.duration(to: clock.now) }
    }

    package init(bytesPerSecond: Int, now: @escaping @Sendable () -> Duration) {
        self.bytesPerSecond = max(1, bytesPerSecond)
        self.now = now
    }

    /// The number of bytes that are transferred in a tenth of a second, in which larger parts are divided.
    package var sliceSize: Int { max(1, bytesPerSecond / 10) }

    /// Takes bytes from the rate.
    ///
    /// - Returns: The time until they may be transferred.
    package func reserve(_ count: Int) -> Duration {
        let now = now()
        let duration = Duration.nanoseconds(Int64(Double(count) / Double(bytesPerSecond) * 1_000_000_000))
        return free.withLock { free in
            // Time that was not used is lost, so that a pause is not followed by a burst.
            let start = max(free, now)
            free = start + duration
            return start - now
        }
    }
}
