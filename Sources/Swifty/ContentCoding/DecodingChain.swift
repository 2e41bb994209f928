// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTransport

import struct Foundation.Data

/// Decodes one content through all its codings, each decoder fed by the one before it, without intermediate copies.
///
/// The limits apply to the output of each decoder as it is produced, so decoding stops as soon as one is exceeded.
struct DecodingChain {
    private static let pieceSize = 16 << 10
    private static let bufferSize = 64 << 10

    private let decoders: [any ContentDecoder]
    private let limits: DecodingLimits
    private let content: Data
    /// The bytes of the coded content that were used.
    private var consumed = 0
    /// The bytes that each decoder has written.
    private(set) var counts: [Int]
    private var output = Data()

    /// - Parameters:
    ///   - content: The coded content.
    ///   - codings: The codings in the order of decoding.
    ///   - limits: The limits of each decoder's output.
    /// - Throws: ``ContentCodingError`` if a decoder cannot be allocated.
    init(_ content: Data, _ codings: [ContentCoding], _ limits: DecodingLimits) throws(ContentCodingError) {
        var decoders: [any ContentDecoder] = []
        for coding in codings { decoders.append(try coding.makeDecoder()) }
        self.decoders = decoders
        self.limits = limits
        self.content = content
        counts = Array(repeating: 0, count: decoders.count)
    }

    /// Decodes the content.
    ///
    /// - Throws: ``ContentCodingError`` for damaged or too large content.
    mutating func decode() throws(ContentCodingError) -> Data {
        while consumed < content.count {
            let piece = content.dropFirst(consumed).prefix(Self.pieceSize)
            consumed += piece.count
            let result = piece.withUnsafeBytes { bytes in
                Result { () throws(ContentCodingError) in try feed(bytes, to: 0) }
            }
            try result.get()
        }
        guard decoders.allSatisfy(\.isComplete) else { throw .cutOff }
        return output
    }

    private mutating func feed(_ bytes: UnsafeRawBufferPointer, to index: Int) throws(ContentCodingError) {
        guard index < decoders.count else { return output.append(contentsOf: bytes) }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.bufferSize, alignment: 1)
        defer { buffer.deallocate() }
        var rest = bytes
        var written = 0
        repeat {
            let before = rest.count
            written = try decoders[index].decode(&rest, into: buffer)
            if written == 0, rest.count == before, !rest.isEmpty { throw .damaged }
            counts[index] += written
            try limits.check(counts[index], consumed: consumed)
            if written > 0 { try feed(UnsafeRawBufferPointer(rebasing: buffer.prefix(written)), to: index + 1) }
        } while !rest.isEmpty || written == buffer.count
    }
}

/// The limits of a decoded content.
struct DecodingLimits {
    /// The size up to which the ratio does not matter.
    static let ratioThreshold = 4 << 20

    let bytes: Int
    let ratio: Int

    /// - Parameters:
    ///   - count: The decoded bytes so far.
    ///   - consumed: The coded bytes that they came from.
    func check(_ count: Int, consumed: Int) throws(ContentCodingError) {
        if count > bytes {
            throw .tooLarge("the decompressed content exceeds \(bytes) bytes, \(Setting.decodedBytes.limit)")
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
