// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// An endless sequence of bytes that follows from a seed (SplitMix64), readable from any position.
///
/// The same seed gives the same bytes in `/bytes`, `/stream-bytes` and `/range`, on every machine.
struct SeededBytes: Sendable {
    let seed: UInt64

    subscript(range: Range<Int>) -> Data {
        let firstWord = range.lowerBound / 8
        let words = (firstWord..<(range.upperBound + 7) / 8).map { word($0).littleEndian }
        // Safety: `Data` copies the bytes.
        let bytes = words.withUnsafeBytes { Data($0) }
        let offset = range.lowerBound - firstWord * 8
        return bytes.subdata(in: offset..<offset + range.count)
    }

    private func word(_ index: Int) -> UInt64 {
        var value = seed &+ (UInt64(truncatingIfNeeded: index) &+ 1) &* 0x9E37_79B9_7F4A_7C15
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
