// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The streams of a connection by their numbers.
///
/// The numbers of requests are odd and rise by two, so the streams are in a ring with open addressing: a stream whose
/// slot is taken moves to the next free one. A look-up costs less than in a dictionary.
struct HTTP2Streams {
    /// Its size is a power of two, and at most half of it is in use.
    private var ring = [HTTP2Stream?](repeating: nil, count: 16)
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    /// The streams whose requests nghttp2 still holds back, in the order of their numbers.
    var unsent: [HTTP2Stream] {
        ring.compactMap { $0 }.filter { !$0.isSent }.sorted { $0.number < $1.number }
    }

    subscript(number: Int32) -> HTTP2Stream? { index(of: number).flatMap { ring[$0] } }

    /// Adds a stream, whose number is not in use.
    mutating func insert(_ stream: HTTP2Stream) {
        if 2 * (count + 1) > ring.count { grow() }
        var index = place(of: stream.number)
        while ring[index] != nil { index = next(index) }
        ring[index] = stream
        count += 1
    }

    @discardableResult
    mutating func remove(_ number: Int32) -> HTTP2Stream? {
        guard let index = index(of: number) else { return nil }
        let stream = ring[index].take()
        count -= 1
        closeGap(at: index)
        return stream
    }

    /// Removes all streams and returns them in the order of their numbers.
    mutating func removeAll() -> [HTTP2Stream] {
        defer { self = HTTP2Streams() }
        return ring.compactMap { $0 }.sorted { $0.number < $1.number }
    }

    private func place(of number: Int32) -> Int {
        Int(truncatingIfNeeded: UInt32(bitPattern: number) >> 1) & (ring.count - 1)
    }

    private func next(_ index: Int) -> Int { (index + 1) & (ring.count - 1) }

    private func index(of number: Int32) -> Int? {
        var index = place(of: number)
        while let stream = ring[index] {
            if stream.number == number { return index }
            index = next(index)
        }
        return nil
    }

    /// Shifts displaced entries back into the gap.
    private mutating func closeGap(at start: Int) {
        var (gap, index) = (start, next(start))
        while let stream = ring[index] {
            let mask = ring.count - 1
            if (index - place(of: stream.number)) & mask >= (index - gap) & mask {
                ring.swapAt(gap, index)
                gap = index
            }
            index = next(index)
        }
    }

    private mutating func grow() {
        let streams = ring.compactMap { $0 }
        ring = [HTTP2Stream?](repeating: nil, count: 2 * ring.count)
        count = 0
        for stream in streams { insert(stream) }
    }
}
