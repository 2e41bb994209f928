// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// A scanner of received frames, which limits those that bring nothing (RFC 9113 §10.5).
///
/// nghttp2 itself ends floods of PING and SETTINGS, but lets empty DATA, PRIORITY, WINDOW_UPDATE, GOAWAY and unknown
/// frames pass without end.
struct FrameBudget {
    /// The number of frames without use that a connection may receive at first, and at most.
    private static let initial = 2_000
    private static let maximum = 20_000
    /// The number of such frames that a useful one allows: a server may update windows after each part of an upload.
    private static let gain = 4

    private enum Kind: UInt8 {
        case data = 0
        case headers = 1
        case continuation = 9
    }

    /// The bytes of the next frame's header that have arrived: nine at most (RFC 9113 §4.1), and the length of the
    /// padding of DATA (§6.1).
    private var header: [UInt8] = []
    /// The number of bytes of the current frame's payload that are still to come.
    private var remaining = 0
    private var allowance = initial
    /// Whether the current frame is a large one of content.
    var isInContent: Bool { remaining > 1 << 10 }

    /// Whether more frames without use have arrived than are allowed.
    var isExceeded: Bool { allowance < 0 }

    /// Takes received bytes.
    mutating func scan(_ bytes: UnsafeRawBufferPointer) {
        var index = 0
        while index < bytes.count {
            let skipped = min(remaining, bytes.count - index)
            remaining -= skipped
            index += skipped
            while remaining == 0, index < bytes.count {
                header.append(bytes[index])
                index += 1
                if header.count >= 9, header.count == 10 || !isPaddedContent { beginFrame() }
            }
        }
    }

    /// Content was sent, for which the server may update its windows.
    mutating func allow(_ frames: Int) {
        allowance = min(Self.maximum, allowance &+ frames &* Self.gain)
    }

    private var length: Int { Int(header[0]) << 16 | Int(header[1]) << 8 | Int(header[2]) }

    private var isPaddedContent: Bool { header[3] == Kind.data.rawValue && header[4] & 8 != 0 && length > 0 }

    private mutating func beginFrame() {
        let padding = header.count == 10 ? 1 + Int(header[9]) : 0
        let endsStream = header[4] & 1 != 0
        let isUseful =
            switch Kind(rawValue: header[3]) {
            case .data: length > padding || endsStream
            case .headers: true
            case .continuation, nil: false
            }
        remaining = length - (header.count - 9)
        header.removeAll(keepingCapacity: true)
        if isUseful { allow(1) } else { allowance -= 1 }
    }
}
