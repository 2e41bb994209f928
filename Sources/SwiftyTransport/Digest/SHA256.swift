// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The SHA-256 digest of a message (FIPS 180-4 §6.2), for the fingerprints of keys and certificates.
package struct SHA256Digest: Sendable, Hashable {
    /// The 32 bytes of the digest.
    package let bytes: [UInt8]

    /// Digests a message.
    package init(of message: some Collection<UInt8>) {
        var state = SHA256State()
        let padded = Self.padded(message)
        for start in stride(from: 0, to: padded.count, by: 64) { state.process(padded[start..<start + 64]) }
        bytes = state.words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * $0)) } }
    }

    /// The message, a one bit, zeros, and the message's length in bits: a multiple of 64 bytes (§5.1.1).
    private static func padded(_ message: some Collection<UInt8>) -> [UInt8] {
        var result = Array(message)
        let bitCount = UInt64(result.count) << 3
        result.append(0x80)
        while result.count % 64 != 56 { result.append(0) }
        for shift in stride(from: UInt64(56), through: 0, by: -8) {
            result.append(UInt8(truncatingIfNeeded: bitCount >> shift))
        }
        return result
    }
}

/// The hash value between two blocks.
private struct SHA256State {
    /// First the fractional parts of the square roots of the first eight primes (§5.3.3).
    var words: [UInt32] = [
        0x6A09_E667, 0xBB67_AE85, 0x3C6E_F372, 0xA54F_F53A, 0x510E_527F, 0x9B05_688C, 0x1F83_D9AB, 0x5BE0_CD19,
    ]

    mutating func process(_ block: ArraySlice<UInt8>) {
        let schedule = Self.schedule(of: block)
        var work = words
        for round in 0..<64 { Self.step(&work, schedule[round] &+ Self.constants[round]) }
        words = zip(words, work).map { $0 &+ $1 }
    }

    private static func schedule(of block: ArraySlice<UInt8>) -> [UInt32] {
        var words = stride(from: block.startIndex, to: block.endIndex, by: 4).map { start in
            block[start..<start + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        }
        for index in 16..<64 {
            let (late, early) = (words[index - 2], words[index - 15])
            let sigma1 = late.rotated(17) ^ late.rotated(19) ^ (late >> 10)
            let sigma0 = early.rotated(7) ^ early.rotated(18) ^ (early >> 3)
            words.append(sigma1 &+ words[index - 7] &+ sigma0 &+ words[index - 16])
        }
        return words
    }

    private static func step(_ work: inout [UInt32], _ input: UInt32) {
        let (a, b, c, e, f, g) = (work[0], work[1], work[2], work[4], work[5], work[6])
        let sum1 = e.rotated(6) ^ e.rotated(11) ^ e.rotated(25)
        let first = work[7] &+ sum1 &+ ((e & f) ^ (~e & g)) &+ input
        let sum0 = a.rotated(2) ^ a.rotated(13) ^ a.rotated(22)
        let second = sum0 &+ ((a & b) ^ (a & c) ^ (b & c))
        work = [first &+ second, a, b, c, work[3] &+ first, e, f, g]
    }

    /// The fractional parts of the cube roots of the first 64 primes (§4.2.2).
    private static let constants: [UInt32] = [
        0x428A_2F98, 0x7137_4491, 0xB5C0_FBCF, 0xE9B5_DBA5, 0x3956_C25B, 0x59F1_11F1, 0x923F_82A4, 0xAB1C_5ED5,
        0xD807_AA98, 0x1283_5B01, 0x2431_85BE, 0x550C_7DC3, 0x72BE_5D74, 0x80DE_B1FE, 0x9BDC_06A7, 0xC19B_F174,
        0xE49B_69C1, 0xEFBE_4786, 0x0FC1_9DC6, 0x240C_A1CC, 0x2DE9_2C6F, 0x4A74_84AA, 0x5CB0_A9DC, 0x76F9_88DA,
        0x983E_5152, 0xA831_C66D, 0xB003_27C8, 0xBF59_7FC7, 0xC6E0_0BF3, 0xD5A7_9147, 0x06CA_6351, 0x1429_2967,
        0x27B7_0A85, 0x2E1B_2138, 0x4D2C_6DFC, 0x5338_0D13, 0x650A_7354, 0x766A_0ABB, 0x81C2_C92E, 0x9272_2C85,
        0xA2BF_E8A1, 0xA81A_664B, 0xC24B_8B70, 0xC76C_51A3, 0xD192_E819, 0xD699_0624, 0xF40E_3585, 0x106A_A070,
        0x19A4_C116, 0x1E37_6C08, 0x2748_774C, 0x34B0_BCB5, 0x391C_0CB3, 0x4ED8_AA4A, 0x5B9C_CA4F, 0x682E_6FF3,
        0x748F_82EE, 0x78A5_636F, 0x84C8_7814, 0x8CC7_0208, 0x90BE_FFFA, 0xA450_6CEB, 0xBEF9_A3F7, 0xC671_78F2,
    ]
}

extension UInt32 {
    fileprivate func rotated(_ count: UInt32) -> UInt32 { self >> count | self << (32 - count) }
}
