// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// A scanner of received frames, which limits the unproductive ones (RFC 9113 §10.5).
///
/// nghttp2 itself ends floods of PING and SETTINGS, but allows any number of empty DATA, PRIORITY, WINDOW_UPDATE,
/// GOAWAY and unknown frames, and of frames for streams that have ended. So every frame costs a part of the budget, and
/// progress of a response refills it.
struct FrameBudget {
    /// The number of unproductive frames that a connection may receive at first, and at most.
    private static let initial = 2_000
    private static let maximum = 20_000
    /// The number of frames that a useful one allows: a server may update windows after each part of an upload.
    private static let gain = 5
    /// The number of frames that a second allows, up to the initial number: for the PINGs of a long silence.
    private static let gainPerSecond = 4

    /// The bytes of the next frame's header that have arrived: nine at most (RFC 9113 §4.1).
    private var header: [UInt8] = []
    /// The number of bytes of the current frame's payload that are still to come.
    private var remaining = 0
    private var allowance = initial
    /// The time up to which seconds were counted, in monotonic nanoseconds.
    private var refilled: Int64?

    /// Whether the current frame is a large one, so probably of content.
    var isInContent: Bool { remaining > 1 << 10 }

    /// Whether more unproductive frames have arrived than are allowed; valid once the scanned bytes were processed.
    var isExceeded: Bool { allowance < 0 }

    mutating func scan(_ bytes: UnsafeRawBufferPointer) {
        var index = 0
        while index < bytes.count {
            let skipped = min(remaining, bytes.count - index)
            remaining -= skipped
            index += skipped
            while remaining == 0, index < bytes.count {
                if header.isEmpty, bytes.count - index >= 9 {
                    beginFrame(bytes[index], bytes[index + 1], bytes[index + 2])
                    index += 9
                } else {
                    take(bytes[index])
                    index += 1
                }
            }
        }
    }

    /// Allows more frames: something useful has arrived, or content was sent, for which the server may update its
    /// windows.
    mutating func allow(_ count: Int) {
        allowance = min(Self.maximum, allowance &+ count &* Self.gain)
    }

    /// Allows the frames of a stream that the client has reset: until the server learns of it, it may send a head, and
    /// as much content as this window permits, in frames of a kibibyte or more.
    mutating func allowRest(window: Int) {
        allowance = min(Self.maximum, allowance &+ 2 &+ window >> 10)
    }

    /// Allows some frames for the time that has passed.
    mutating func refill(at now: Int64) {
        guard let start = refilled else {
            refilled = now
            return
        }
        let seconds = (now &- start) / 1_000_000_000
        guard seconds > 0 else { return }
        refilled = start &+ seconds &* 1_000_000_000
        let gain = Int(min(seconds, Int64(Self.initial))) * Self.gainPerSecond
        if allowance >= 0, allowance < Self.initial { allowance = min(Self.initial, allowance + gain) }
    }

    /// Processes one byte of a frame's header that arrives in parts.
    private mutating func take(_ byte: UInt8) {
        header.append(byte)
        guard header.count == 9 else { return }
        beginFrame(header[0], header[1], header[2])
        header.removeAll(keepingCapacity: true)
    }

    /// The header of a frame has arrived: its first three bytes are the length of the payload.
    private mutating func beginFrame(_ first: UInt8, _ second: UInt8, _ third: UInt8) {
        remaining = Int(first) << 16 | Int(second) << 8 | Int(third)
        allowance -= 1
    }
}
