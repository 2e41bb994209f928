// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The frames of an HTTP/2 connection that its socket has not accepted yet.
struct HTTP2Output {
    /// The number of bytes that are joined for one send call.
    private static let size = 64 << 10

    private var bytes: [UInt8] = []
    private var sentCount = 0
    /// Whether the frames are sent at the end of the turn.
    var isFlushScheduled = false
    /// The reason why no more can be sent; responses may have arrived nevertheless.
    var error: ChannelFailure?

    var isEmpty: Bool { bytes.isEmpty }

    /// Whether further frames can be joined to these.
    var hasRoom: Bool { bytes.count < Self.size && sentCount == 0 }

    mutating func append(_ frames: UnsafeBufferPointer<UInt8>) {
        bytes.append(contentsOf: frames)
    }

    func withUnsentBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[sentCount...])) }
    }

    mutating func noteSent(_ count: Int) {
        sentCount += count
        if sentCount < bytes.count { return }
        bytes.removeAll(keepingCapacity: bytes.capacity <= 2 * Self.size)
        sentCount = 0
    }
}
