// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// Bytes on their way in one direction, which may leave when their latency is over.
struct DelayLine {
    private struct Part {
        var count: Int
        let due: ContinuousClock.Instant
    }

    /// The bytes that have not left, in their order.
    private(set) var bytes: ArraySlice<UInt8> = []
    private var parts: ArraySlice<Part> = []
    /// The time at which the end of the stream may leave; `nil` before the end has arrived.
    private var endDue: ContinuousClock.Instant?

    /// Whether the end of the stream has arrived.
    var hasEnded: Bool { endDue != nil }

    mutating func append(_ more: [UInt8], latency: Duration) {
        bytes += more
        parts.append(Part(count: more.count, due: .now + latency))
    }

    mutating func end(latency: Duration) {
        endDue = endDue ?? .now + latency
    }

    /// The number of bytes that may leave now.
    var dueCount: Int {
        let now = ContinuousClock.now
        return parts.prefix { $0.due <= now }.reduce(0) { $0 + $1.count }
    }

    /// Whether all bytes have left, and the end may.
    var isOver: Bool { bytes.isEmpty && (endDue.map { $0 <= .now } ?? false) }

    /// Removes bytes that have left.
    mutating func removeFirst(_ count: Int) {
        bytes = bytes.dropFirst(count)
        var left = count
        while left > 0, let first = parts.first {
            if first.count > left {
                parts[parts.startIndex].count -= left
                return
            }
            left -= first.count
            parts.removeFirst()
        }
    }
}
