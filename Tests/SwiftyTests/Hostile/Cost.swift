// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The growth of the cost of some work with the length of its input.
///
/// Measured as processor time of the calling thread, and given as a ratio, so that neither the machine's speed nor its
/// other work counts.
enum Cost {
    /// The ratio of the lengths of two inputs: linear work costs 16 times as much for the longer one, quadratic work
    /// 256 times.
    static let factor = 16
    /// The limit of the ratio of the costs: between the two, with room for caches, allocators and sorting.
    static let bearable = 64.0

    /// The ratio of the cost of an input that is ``factor`` times as long to the cost of the shorter one.
    ///
    /// - Parameters:
    ///   - length: The length of the shorter input, in bytes; doubled until the work takes long enough to measure.
    ///   - limit: The maximum length of the longer input, in bytes.
    ///   - prepare: The closure that makes the work for an input of a length. Its own cost does not count.
    static func growth(from length: Int = 512, upTo limit: Int = 1 << 22, _ prepare: (Int) -> () -> Void) -> Double {
        var length = length
        var base = time(prepare(length))
        while base < 50_000, length * factor * 2 <= limit {
            length *= 2
            base = time(prepare(length))
        }
        return Double(time(prepare(length * factor))) / Double(max(base, 20_000))
    }

    /// The processor time in nanoseconds: the least of three runs, since disturbances only lengthen a run.
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
