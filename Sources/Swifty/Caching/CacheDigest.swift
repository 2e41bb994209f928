// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

/// A digest of strings, by which responses are found.
struct CacheDigest: Hashable, Sendable {
    private let words: SIMD4<UInt64>

    /// The SHA-256 of the strings, each with its length, so that no other strings have the same digest.
    init(_ strings: some Sequence<String>) {
        var hasher = SHA256.Hasher()
        for var string in strings {
            string.withUTF8 { bytes in
                withUnsafeBytes(of: UInt64(bytes.count).littleEndian) { hasher.update($0) }
                hasher.update(UnsafeRawBufferPointer(bytes))
            }
        }
        words = Self.words(of: hasher.finalize())
    }

    /// Reads 64 hexadecimal digits; `nil` for any other text.
    init?(hexadecimal text: some StringProtocol) {
        guard let bytes = [UInt8](hexadecimal: String(text)), bytes.count == 32 else { return nil }
        words = Self.words(of: bytes)
    }

    /// Of 32 bytes.
    private static func words(of bytes: [UInt8]) -> SIMD4<UInt64> {
        bytes.withUnsafeBytes { $0.loadUnaligned(as: SIMD4<UInt64>.self) }
    }

    /// The digest in 64 hexadecimal digits.
    var hexadecimal: String { withUnsafeBytes(of: words) { Array($0) }.hexadecimal }
}
