// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import struct Foundation.Data

// Delivers the content of a streamed response to the reader.
//
// Resuming a reader costs as much as receiving some TLS records, so the content is gathered until a part is large. A
// part that does not grow is given to the reader after a millisecond, and a small one, such as an event, immediately.

extension Transfer {
    /// The size up to which a part is given to the reader immediately, in bytes.
    private static let smallPart = 4 << 10
    /// The number of bytes for which the reader is resumed immediately.
    private static let largePart = 256 << 10
    /// The time for which a part waits for more bytes, in nanoseconds.
    private static let gatheringTime: Int64 = 1_000_000
    /// The number of bytes that a response must be allowed ahead of its reader for parts to be gathered.
    private static let leastAllowance = 2 * SegmentPool.blockSize

    /// The number of bytes that are worth receiving now; `.max` for a response that is collected.
    var room: Int { feed?.room(besides: attempt.part.count) ?? .max }

    /// The number of bytes that the reader has taken.
    var takenByteCount: Int { attempt.progress.contentByteCount - waitingByteCount }

    /// The number of bytes that have arrived and that the reader has not taken.
    private var waitingByteCount: Int { attempt.part.count + (feed?.byteCount ?? 0) }

    /// The reader's memory, into which the connection can receive content without a copy; `nil` for a response that is
    /// collected, while there are many streams, and if allocation fails.
    func spaceForContent() -> UnsafeMutableRawBufferPointer? {
        guard feed != nil, ResponseFeed.allowance >= Self.leastAllowance, let space = attempt.part.space() else {
            return nil
        }
        return UnsafeMutableRawBufferPointer(rebasing: space.prefix(room))
    }

    /// Counts content that was received into ``spaceForContent()``.
    func noteContentInSpace(_ count: Int, at now: Int64) {
        attempt.countContent(count)
        attempt.part.noteWritten(count, at: now)
        if isPartComplete { deliverPart() }
        report?.report(received: attempt.progress.contentByteCount, at: now)
    }

    /// Gathers content for the reader.
    func gather(_ content: UnsafeRawBufferPointer, at now: Int64) {
        var rest = content
        while ResponseFeed.allowance >= Self.leastAllowance, !rest.isEmpty {
            guard let count = attempt.part.append(rest, at: now) else { break }
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
            if isPartComplete { deliverPart() }
        }
        if rest.isEmpty { return }
        deliverPart()
        deliver(Data(rest))
    }

    /// Whether the part has no room for more, or the reader has enough.
    private var isPartComplete: Bool { attempt.part.isFull || room <= ResponseFeed.slack }

    /// Gives the gathered part to the reader.
    func deliverPart() {
        if attempt.part.count > 0 { deliver(attempt.part.take()) }
    }

    /// The time until which the reader is not resumed, because more bytes are expected; `nil` if it is due now.
    func gatheringEnd(at now: Int64) -> Int64? {
        guard case .active = place, !attempt.isPaused, (Self.smallPart..<Self.largePart).contains(waitingByteCount)
        else { return nil }
        let end = attempt.part.begun &+ Self.gatheringTime
        return end > now ? end : nil
    }

    private func deliver(_ part: Data) {
        if let feed, !feed.put(part) { pause() }
    }
}
