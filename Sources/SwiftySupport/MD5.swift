// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// MD5 (RFC 1321), here to save a dependency, as the other digests are. It is broken as a hash and serves only Digest
/// authentication, where servers still use it (RFC 7616 §3.2).
package enum MD5 {
    /// The digest of a message.
    package static func hash(_ message: [UInt8]) -> [UInt8] {
        let padded = PaddedMessage(message, block: 64, length: 8, isBigEndian: false).bytes
        var state: [UInt32] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476]
        for start in stride(from: 0, to: padded.count, by: 64) {
            mix(words(of: padded, at: start), into: &state)
        }
        return state.bytes(isBigEndian: false)
    }

    private static func words(of bytes: [UInt8], at start: Int) -> [UInt32] {
        (0..<16).map { word in
            (0..<4).reduce(0) { $0 | UInt32(bytes[start + word * 4 + $1]) << UInt32($1 * 8) }
        }
    }

    private static func mix(_ words: [UInt32], into state: inout [UInt32]) {
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        for step in 0..<64 {
            let (mixed, word) = function(step, b, c, d)
            let sum = a &+ mixed &+ sines[step] &+ words[word]
            (a, d, c) = (d, c, b)
            b = b &+ sum.rotated(right: 32 - shifts[step / 16][step % 4])
        }
        state = [state[0] &+ a, state[1] &+ b, state[2] &+ c, state[3] &+ d]
    }

    /// The value of the round function, and the index of the block's word that is added to it.
    private static func function(_ step: Int, _ b: UInt32, _ c: UInt32, _ d: UInt32) -> (UInt32, Int) {
        switch step / 16 {
        case 0: ((b & c) | (~b & d), step)
        case 1: ((d & b) | (~d & c), (5 * step + 1) % 16)
        case 2: (b ^ c ^ d, (3 * step + 5) % 16)
        default: (c ^ (b | ~d), (7 * step) % 16)
        }
    }

    private static let shifts = [[7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21]]

    private static let sines = (1...64).map { UInt32(abs(sin(Double($0))) * 4_294_967_296) }
}
