// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// SHA-256 (FIPS 180-4 §6.2).
package enum SHA256: MessageDigest {
    package static func hash(_ message: [UInt8]) -> [UInt8] {
        compression.hash(message, from: initial)
    }

    private static let compression = SHA2<UInt32>(
        // The same cube roots as SHA-512's, in half the bits.
        constants: cubeRoots.prefix(64).map { UInt32($0 >> 32) },
        rotations: .init(bigA: [2, 13, 22], bigE: [6, 11, 25], smallEarly: [7, 18, 3], smallLate: [17, 19, 10])
    )

    private static let initial: [UInt32] = [
        0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
    ]
}
