// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// Bytes in transit in one direction, each released after its latency.
struct DelayLine {
    private struct Part {
        var count: Int
        let due: ContinuousClock.Instant
    }

    /// The bytes in transit, in their order.
    private(set) var bytes: ArraySlice<UInt8> = []
    private var parts: ArraySlice<Part> = []
    /// The time at which the end of the stream is released; `nil` before the end has arrived.
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

    /// The number of bytes to release now.
    var dueCount: Int {
        let now = ContinuousClock.now
        return parts.prefix { $0.due <= now }.reduce(0) { $0 + $1.count }
    }

    /// Whether all bytes are sent, and the end is due.
    var isOver: Bool { bytes.isEmpty && (endDue.map { $0 <= .now } ?? false) }

    /// Removes bytes that were sent.
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
