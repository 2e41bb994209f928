// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import struct Foundation.Data

/// Decodes content through all its codings, piece by piece: each decoder reads the output of the one before it.
///
///     feed ──▶ pieces ──▶ decoder 1 ──▶ … ──▶ decoder n ──▶ next
///
/// Nothing is decoded before it is asked for, so the memory is bounded by the buffers whatever the content expands to.
/// The limits apply to the output of each decoder as it is produced: decoding stops as soon as one is exceeded.
struct DecodingChain {
    private static let pieceSize = 16 << 10
    private static let bufferSize = 64 << 10

    /// A decoder, and its input from the one before it.
    private struct Stage {
        let decoder: any BufferDecoder
        /// The input that is not decoded yet.
        var input = Data()
        /// Whether the decoder may have output without further input.
        var isFull = false
        /// The number of bytes that it has written.
        var count = 0
    }

    private let limits: DecodingLimits
    private var stages: [Stage]
    /// The coded content that the first decoder has not taken.
    private var pending = Data()
    /// The number of bytes of the coded content that were taken.
    private var consumed = 0

    /// - Parameters:
    ///   - codings: The codings in the order of decoding.
    ///   - limits: The limits of each decoder's output.
    /// - Throws: ``SwiftyError`` if a decoder cannot be allocated.
    init(_ codings: [ContentCoding], _ limits: DecodingLimits) throws(SwiftyError) {
        try self.init(codings.map { .builtIn($0) }, limits)
    }

    /// - Throws: ``SwiftyError`` if a decoder cannot be made.
    init(_ codings: [AcceptedCoding], _ limits: DecodingLimits) throws(SwiftyError) {
        var stages: [Stage] = []
        for coding in codings { stages.append(Stage(decoder: try coding.makeDecoder())) }
        self.stages = stages
        self.limits = limits
    }

    /// The bytes that each decoder has written.
    var counts: [Int] { stages.map(\.count) }

    /// Decodes the whole content.
    ///
    /// - Throws: ``SwiftyError`` for damaged or too large content.
    mutating func decode(_ content: Data) throws(SwiftyError) -> Data {
        feed(content)
        var output = Data()
        while let part = try next() {
            if output.isEmpty { output = part } else { output.append(part) }
        }
        try finish()
        return output
    }

    /// Adds coded content. Call it when ``next()`` has returned `nil`.
    mutating func feed(_ content: Data) {
        pending = content
    }

    /// The next decoded bytes, at most 64 KiB of them; `nil` if more coded content is needed.
    ///
    /// - Throws: ``SwiftyError`` for damaged or too large content.
    mutating func next() throws(SwiftyError) -> Data? {
        try output(of: stages.count - 1)
    }

    /// Ends the coded content.
    ///
    /// - Throws: ``SwiftyError/cutOff`` if it is not complete. Content without any bytes has no coding.
    func finish() throws(SwiftyError) {
        guard consumed == 0 || stages.allSatisfy(\.decoder.isComplete) else { throw .cutOff }
    }

    /// The next output of a decoder, or a piece of the coded content for the index -1.
    private mutating func output(of index: Int) throws(SwiftyError) -> Data? {
        if index < 0 { return nextPiece() }
        while true {
            if stages[index].input.isEmpty, !stages[index].isFull {
                guard let input = try output(of: index - 1) else { return nil }
                stages[index].input = input
            }
            if let part = try decode(at: index) { return part }
        }
    }

    private mutating func nextPiece() -> Data? {
        if pending.isEmpty { return nil }
        let piece = pending.prefix(Self.pieceSize)
        pending = pending.dropFirst(piece.count)
        consumed += piece.count
        return piece
    }

    /// One step of a decoder; `nil` if it has no output yet.
    private mutating func decode(at index: Int) throws(SwiftyError) -> Data? {
        let (decoder, input) = (stages[index].decoder, stages[index].input)
        var output = Data(count: Self.bufferSize)
        var left = input.count
        let result = output.withUnsafeMutableBytes { output in
            input.withUnsafeBytes { bytes in
                Result { () throws(SwiftyError) in
                    var rest = bytes
                    defer { left = rest.count }
                    return try decoder.decode(&rest, into: output)
                }
            }
        }
        let written = try result.get()
        if written == 0, left == input.count, left > 0 { throw .damaged }
        stages[index].input = input.suffix(left)
        stages[index].isFull = written == Self.bufferSize
        stages[index].count += written
        try limits.check(stages[index].count, consumed: consumed)
        if written == 0 { return nil }
        return written == Self.bufferSize ? output : Data(output.prefix(written))
    }
}

struct DecodingLimits {
    /// The size up to which the ratio does not matter.
    static let ratioThreshold = 4 << 20

    let bytes: Int
    let ratio: Int
    /// The setting that limits the bytes.
    var setting = Setting.decodedBytes

    /// - Parameters:
    ///   - count: The decoded bytes so far.
    ///   - consumed: The coded bytes that they came from.
    func check(_ count: Int, consumed: Int) throws(SwiftyError) {
        if count > bytes {
            throw .tooLarge("the decompressed content exceeds \(bytes) bytes, \(setting.limit)")
        }
        let (most, isHuge) = consumed.multipliedReportingOverflow(by: ratio)
        if count > Self.ratioThreshold, !isHuge, count > most {
            throw .tooLarge(
                "the decompressed content is more than \(ratio) times as large as the compressed one, "
                    + Setting.decodedRatio.limit
            )
        }
    }
}
