// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// SHA-512/256 (FIPS 180-4 §6.7): SHA-512 from another start, cut to 256 bits.
package enum SHA512_256: MessageDigest {
    package static func hash(_ message: [UInt8]) -> [UInt8] {
        Array(compression.hash(message, from: initial).prefix(32))
    }

    private static let compression = SHA2<UInt64>(
        constants: cubeRoots,
        rotations: .init(bigA: [28, 34, 39], bigE: [14, 18, 41], smallEarly: [1, 8, 7], smallLate: [19, 61, 6])
    )

    private static let initial: [UInt64] = [
        0x2231_2194_fc2b_f72c, 0x9f55_5fa3_c84c_64c2, 0x2393_b86b_6f53_b151, 0x9638_7719_5940_eabd,
        0x9628_3ee2_a88e_ffe3, 0xbe5e_1e25_5386_3992, 0x2b01_99fc_2c85_b8aa, 0x0eb7_2ddc_81c5_2ca2,
    ]
}
