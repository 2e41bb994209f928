// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftySupport

/// Routes that send many bytes without keeping them in memory.
///
/// With the same `seed` the first `n` bytes are always the same, on all routes; without one they are random.
enum BytesRoutes {
    private static let limit = 100 * 1_048_576

    /// `n` bytes with a `Content-Length`.
    @Sendable static func bytes(_ request: RecordedRequest) throws -> LoopbackResponse {
        let count = try request.number("n", in: 0...limit)
        return .pieces(source(0..<count, try seeded(request), pieceSize: 65_536, declaresLength: true))
    }

    /// `n` bytes in chunks of `chunk_size`, 10 KiB by default.
    @Sendable static func streamedBytes(_ request: RecordedRequest) throws -> LoopbackResponse {
        let count = try request.number("n", in: 0...limit)
        let size = try request.queryNumber("chunk_size", in: 1...limit, default: 10_240)
        return .pieces(source(0..<count, try seeded(request), pieceSize: size, declaresLength: false))
    }

    /// `n` lines, each a JSON object with its number as `id`, in chunks of one line.
    @Sendable static func streamedLines(_ request: RecordedRequest) throws -> LoopbackResponse {
        let count = try request.number("n", in: 0...10_000)
        let members = EchoRoutes.members(of: request, "args", "headers", "origin", "url")
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let lines = try (0..<count).map { index in
            var line = members
            line["id"] = .integer(Int64(index))
            return try encoder.encode(line) + Data("\n".utf8)
        }
        return .chunks(lines, type: "application/json")
    }

    /// `n` bytes, or the part that `Range` requests (RFC 9110 §14), with an entity tag for `If-Range`.
    @Sendable static func range(_ request: RecordedRequest) throws -> LoopbackResponse {
        let count = try request.number("n", in: 0...limit)
        let bytes = SeededBytes(seed: UInt64(try request.queryNumber("seed", in: 0...Int.max, default: 0)))
        let tag = "\"range\(count)-\(bytes.seed)\""
        let unchanged = request["If-Range"].map { $0 == tag } ?? true
        guard unchanged, let asked = request["Range"].flatMap({ ByteRange($0) }) else {
            let whole = source(0..<count, bytes, pieceSize: 65_536, declaresLength: true)
            return .pieces(whole).header("ETag", tag).header("Accept-Ranges", "bytes")
        }
        guard let range = asked.resolved(count) else {
            return .status(416).header("Content-Range", "bytes */\(count)").header("ETag", tag)
        }
        return .pieces(source(range, bytes, pieceSize: 65_536, declaresLength: true), status: 206)
            .header("ETag", tag)
            .header("Accept-Ranges", "bytes")
            .header("Content-Range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(count)")
    }

    private static func seeded(_ request: RecordedRequest) throws -> SeededBytes {
        guard let text = request.query("seed") else { return SeededBytes(seed: .random(in: 0...UInt64.max)) }
        guard let seed = Int64(text) else { throw RequestError.malformed("seed is not a number") }
        return SeededBytes(seed: UInt64(bitPattern: seed))
    }

    private static func source(
        _ range: Range<Int>,
        _ bytes: SeededBytes,
        pieceSize: Int,
        declaresLength: Bool
    ) -> LoopbackResponse.PieceSource {
        LoopbackResponse.PieceSource(
            count: (range.count + pieceSize - 1) / pieceSize,
            length: declaresLength ? range.count : nil,
            piece: { index in
                let start = range.lowerBound + index * pieceSize
                return bytes[start..<min(start + pieceSize, range.upperBound)]
            }
        )
    }
}

/// An endless sequence of bytes determined by a seed (SplitMix64), readable from any position.
///
/// The same seed gives the same bytes in `/bytes`, `/stream-bytes` and `/range`, on every machine.
struct SeededBytes: Sendable {
    let seed: UInt64

    subscript(range: Range<Int>) -> Data {
        let words = range.lowerBound / 8..<(range.upperBound + 7) / 8
        let bytes = words.map { word($0).littleEndian }.withUnsafeBytes { Data($0) }
        return Data(bytes.dropFirst(range.lowerBound % 8).prefix(range.count))
    }

    private func word(_ index: Int) -> UInt64 {
        var value = seed &+ (UInt64(truncatingIfNeeded: index) &+ 1) &* 0x9E37_79B9_7F4A_7C15
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
