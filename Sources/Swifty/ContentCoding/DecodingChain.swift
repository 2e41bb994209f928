// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTransport

import struct Foundation.Data

/// Undoes the codings of one content, each fed by the one before it, so that nothing in between is kept.
///
/// The limits hold for what each coding gives, while it gives it: a content that would be too large ends there.
struct DecodingChain {
    private static let pieceSize = 16 << 10
    private static let bufferSize = 64 << 10

    private let decoders: [any ContentDecoder]
    private let limits: DecodingLimits
    private let content: Data
    /// How much of the coded content was taken.
    private var consumed = 0
    /// How much each decoder has given.
    private(set) var counts: [Int]
    private var output = Data()

    /// - Parameter codings: in the order in which they are undone.
    init(_ content: Data, _ codings: [ContentCoding], _ limits: DecodingLimits) throws(ContentCodingError) {
        var decoders: [any ContentDecoder] = []
        for coding in codings { decoders.append(try coding.makeDecoder()) }
        self.decoders = decoders
        self.limits = limits
        self.content = content
        counts = Array(repeating: 0, count: decoders.count)
    }

    /// The content without its codings.
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

/// How large a decoded content may become.
struct DecodingLimits {
    /// Below this size the ratio does not matter.
    static let ratioThreshold = 4 << 20

    let bytes: Int
    let ratio: Int

    /// - Parameters:
    ///   - count: the decoded bytes so far.
    ///   - consumed: the coded bytes that they came from.
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
