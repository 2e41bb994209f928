// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// How the cost of some work grows with the length of its input.
///
/// Measured as processor time of the calling thread, and given as a ratio, so that neither the machine's speed nor its
/// other work counts.
enum Cost {
    /// Inputs are made this many times as long: linear work costs 16 times as much then, quadratic work 256 times.
    static let factor = 16
    /// Between the two, with room for caches, allocators and sorting.
    static let bearable = 64.0

    /// How many times more work an input costs that is ``factor`` times as long.
    ///
    /// - Parameters:
    ///   - length: bytes of the shorter input; the least that takes long enough to be measured is found from there.
    ///   - prepare: makes the work for an input of a length. Its own cost does not count.
    static func growth(from length: Int = 512, upTo limit: Int = 1 << 22, _ prepare: (Int) -> () -> Void) -> Double {
        var length = length
        var base = time(prepare(length))
        while base < 50_000, length * factor * 2 <= limit {
            length *= 2
            base = time(prepare(length))
        }
        return Double(time(prepare(length * factor))) / Double(max(base, 20_000))
    }

    /// Nanoseconds: the least of three tries, as a try can only take too long.
    static func time(_ work: () -> Void) -> UInt64 {
        (0..<3).map { _ in
            let start = clock_gettime_nsec()
            work()
            return clock_gettime_nsec() - start
        }.min() ?? 0
    }

    private static func clock_gettime_nsec() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}

extension String {
    /// A text of about this number of bytes: a beginning, repeated pieces, an end.
    static func long(_ start: String = "", repeating unit: String, bytes: Int, _ end: String = "") -> String {
        start + String(repeating: unit, count: Swift.max(1, bytes / unit.utf8.count)) + end
    }
}
