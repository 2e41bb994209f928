// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport
import SwiftyTransport

/// The decoder of the chunked transfer coding (RFC 9112 §7.1): bytes in, events out.
///
/// The bytes may come in pieces of any length. The decoder depends on neither sockets nor clocks.
struct ChunkedDecoder {
    enum Event {
        /// The next part of the content, as a slice of the given bytes.
        case content(UnsafeRawBufferPointer)
        /// A line of the trailers, including its line feed.
        case trailer([UInt8])
        /// The message is complete. Any remaining bytes do not belong to it.
        case end
    }

    private enum State {
        case size
        case extensions
        case sizeLineFeed
        case content
        case contentReturn
        case contentLineFeed
        case trailers
        case end
    }

    private let rules: TransportSettings.Responses
    private var state = State.size
    private var size = ChunkSize()
    private var extensions = ChunkExtensions()
    /// The number of bytes of the current chunk that are still to come.
    private var remaining = 0
    private var trailer: [UInt8] = []
    private var contentByteCount = 0
    private var framingByteCount = 0
    /// Whether lenient rules accepted something that another reader may understand differently.
    private(set) var isAmbiguous = false

    init(rules: TransportSettings.Responses) {
        self.rules = rules
    }

    /// Whether the last chunk, the trailers and the final empty line have arrived.
    var isComplete: Bool { state == .end }

    /// Consumes bytes up to the end of the next event and returns it; `nil` if all bytes were consumed before an event
    /// ended.
    mutating func next(in bytes: inout UnsafeRawBufferPointer) throws(ResponseError) -> Event? {
        while let byte = bytes.first {
            switch state {
            case .content: return .content(takeContent(&bytes))
            case .trailers: if let event = try takeTrailer(&bytes) { return event }
            case .end: return nil
            default:
                try takeFraming(byte)
                bytes = UnsafeRawBufferPointer(rebasing: bytes.dropFirst())
            }
        }
        return nil
    }

    private mutating func takeContent(_ bytes: inout UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        let count = min(remaining, bytes.count)
        let content = UnsafeRawBufferPointer(rebasing: bytes[..<count])
        bytes = UnsafeRawBufferPointer(rebasing: bytes[count...])
        remaining -= count
        contentByteCount &+= count
        if remaining == 0 { state = .contentReturn }
        return content
    }

    private mutating func takeFraming(_ byte: UInt8) throws(ResponseError) {
        framingByteCount &+= 1
        // Small chunks are legitimate: their framing may be large in comparison with their content.
        if framingByteCount &- contentByteCount &* 16 > rules.headLimit {
            throw .tooLarge(
                "the framing of the response's chunks exceeds \(rules.headLimit) bytes "
                    + "and 16 for each byte of content, \(Setting.headLimit.limit)"
            )
        }
        switch state {
        case .size: try takeSize(byte)
        case .extensions: try takeExtension(byte)
        case .sizeLineFeed: try endSizeLine(byte)
        case .contentReturn: try endContent(byte)
        default: try endContentLine(byte)
        }
    }

    private mutating func takeSize(_ byte: UInt8) throws(ResponseError) {
        if size.append(byte) { return }
        guard let size = size.value else { throw .malformed("a chunk of the response has no valid size") }
        remaining = size
        state = .extensions
        try takeExtension(byte)
    }

    private mutating func takeExtension(_ byte: UInt8) throws(ResponseError) {
        guard byte != .carriageReturn, byte != .lineFeed else { return try endExtensions(byte) }
        if extensions.append(byte) { return }
        // Between the size and the first semicolon, another reader could take the byte for a part of the size.
        guard extensions.hasBegun, byte.isFieldByte else {
            throw .malformed("the size of a chunk of the response is not followed by an extension")
        }
        try acceptDeviation("an extension of a chunk of the response is malformed")
        extensions.giveUp()
    }

    private mutating func endExtensions(_ byte: UInt8) throws(ResponseError) {
        if !extensions.isComplete { try acceptDeviation("an extension of a chunk of the response is incomplete") }
        guard byte == .lineFeed else {
            state = .sizeLineFeed
            return
        }
        try acceptDeviation("the line with the size of a chunk of the response ends in a bare LF")
        beginContent()
    }

    private mutating func endSizeLine(_ byte: UInt8) throws(ResponseError) {
        guard byte == .lineFeed else {
            throw .malformed("the size of a chunk of the response is followed by a bare CR")
        }
        beginContent()
    }

    private mutating func beginContent() {
        state = remaining == 0 ? .trailers : .content
        size = ChunkSize()
        extensions = ChunkExtensions()
    }

    private mutating func endContent(_ byte: UInt8) throws(ResponseError) {
        switch byte {
        case .carriageReturn: state = .contentLineFeed
        case .lineFeed:
            try acceptDeviation("the content of a chunk of the response is followed by a bare LF")
            state = .size
        default: throw .malformed("a chunk of the response is longer than its size")
        }
    }

    private mutating func endContentLine(_ byte: UInt8) throws(ResponseError) {
        guard byte == .lineFeed else {
            throw .malformed("the content of a chunk of the response is followed by a bare CR")
        }
        state = .size
    }

    private mutating func takeTrailer(_ bytes: inout UnsafeRawBufferPointer) throws(ResponseError) -> Event? {
        let end = bytes.firstIndex(of: .lineFeed).map { $0 + 1 } ?? bytes.count
        trailer += bytes[..<end]
        bytes = UnsafeRawBufferPointer(rebasing: bytes[end...])
        if trailer.count &- 2 > rules.trailerLimit {
            throw .tooLarge("the response's trailers exceed \(rules.trailerLimit) bytes, \(Setting.trailerLimit.limit)")
        }
        guard trailer.last == .lineFeed else { return nil }
        defer { trailer.removeAll() }
        guard trailer == [.lineFeed] || trailer == [.carriageReturn, .lineFeed] else { return .trailer(trailer) }
        state = .end
        return .end
    }

    /// Accepts a deviation by lenient rules; throws by strict ones.
    private mutating func acceptDeviation(_ reason: String) throws(ResponseError) {
        guard rules.strictness == .lenient else { throw .malformed(reason) }
        isAmbiguous = true
    }
}

/// The size of a chunk: `1*HEXDIG`, of at most sixteen digits.
private struct ChunkSize {
    private var digitCount = 0
    private(set) var value: Int?

    /// Parses the next byte. Returns `false` if it is not a digit, or one too many.
    mutating func append(_ byte: UInt8) -> Bool {
        guard let digit = byte.hexadecimalValue, digitCount < 16, value ?? 0 <= Int.max >> 4 else { return false }
        value = (value ?? 0) << 4 | Int(digit)
        digitCount += 1
        return true
    }
}
