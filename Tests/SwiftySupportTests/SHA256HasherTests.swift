// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport
import Testing

@Suite("An incremental SHA-256 digest", .timeLimit(.minutes(15)))
struct SHA256HasherTests {
    private static let message = (0..<1000).map { UInt8(truncatingIfNeeded: $0 &* 131 ^ $0 >> 3) }
    /// As OpenSSL computes it.
    private static let million = "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"

    private func hasher(_ parts: [ArraySlice<UInt8>]) -> SHA256.Hasher {
        parts.reduce(into: SHA256.Hasher()) { hasher, part in part.withUnsafeBytes { hasher.update($0) } }
    }

    @Test("is that of the whole message, wherever it is cut")
    func parts() {
        let message = Self.message[..<200]
        let whole = SHA256.hash(Array(message))
        for first in 0...200 {
            for second in [first, min(first + 1, 200), min(first + 63, 200), min(first + 64, 200), 200] {
                let parts = [message[..<first], message[first..<second], message[second...]]
                #expect(hasher(parts).finalize() == whole, "\(first), \(second)")
            }
        }
    }

    @Test("of a million letters is FIPS 180-4's")
    func million() {
        let part = [UInt8](repeating: UInt8(ascii: "a"), count: 1000)
        let digest = hasher(Array(repeating: part[...], count: 1000)).finalize()
        #expect(digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() == Self.million)
    }

    @Test("continues from its encoding, at every length of the message")
    func encoding() throws {
        for count in 0...200 {
            let begun = hasher([Self.message[..<count]])
            var continued = try #require(SHA256.Hasher(encoded: begun.encoded))
            #expect(continued == begun)
            #expect(continued.count == count)
            Self.message[count..<300].withUnsafeBytes { continued.update($0) }
            #expect(continued.finalize() == SHA256.hash(Array(Self.message[..<300])))
        }
    }

    @Test("does not continue from other bytes")
    func damagedEncoding() {
        let encoded = hasher([Self.message[..<100]]).encoded
        #expect(SHA256.Hasher(encoded: []) == nil)
        #expect(SHA256.Hasher(encoded: Array(encoded.dropLast())) == nil)
        #expect(SHA256.Hasher(encoded: encoded + [0]) == nil)
        var negative = encoded
        negative[32] = 0xFF
        #expect(SHA256.Hasher(encoded: negative) == nil)
    }

    @Test("may be asked for in between")
    func intermediate() {
        var digest = hasher([Self.message[..<100]])
        #expect(digest.finalize() == SHA256.hash(Array(Self.message[..<100])))
        Self.message[100..<150].withUnsafeBytes { digest.update($0) }
        #expect(digest.finalize() == SHA256.hash(Array(Self.message[..<150])))
    }
}
