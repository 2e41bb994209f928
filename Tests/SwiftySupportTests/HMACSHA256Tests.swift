// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport
import Testing

@Suite("HMAC with SHA-256", .timeLimit(.minutes(15)))
struct HMACTests {
    private static func bytes(_ byte: UInt8, _ count: Int) -> [UInt8] { Array(repeating: byte, count: count) }

    /// The cases of RFC 4231 §4. That of §4.6 has only half of the code.
    @Test(
        "is RFC 4231's",
        arguments: [
            (
                bytes(0x0B, 20), Array("Hi There".utf8),
                "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
            ),
            (
                Array("Jefe".utf8), Array("what do ya want for nothing?".utf8),
                "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
            ),
            (
                bytes(0xAA, 20), bytes(0xDD, 50),
                "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
            ),
            (
                Array(1...25), bytes(0xCD, 50),
                "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"
            ),
            (
                bytes(0x0C, 20), Array("Test With Truncation".utf8),
                "a3b6167473100ee06e0c796c2955552b"
            ),
            (
                bytes(0xAA, 131), Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
                "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
            ),
            (
                bytes(0xAA, 131),
                Array(
                    "This is a test using a larger than block-size key and a larger than block-size data. "
                        .utf8
                ) + Array("The key needs to be hashed before being used by the HMAC algorithm.".utf8),
                "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"
            ),
        ]
    )
    func vectors(key: [UInt8], message: [UInt8], code: String) {
        #expect(HMACSHA256.code(of: message, key: key).hexadecimal.hasPrefix(code))
    }

    @Test("of nothing, with no key, is Python's")
    func empty() {
        let code = HMACSHA256.code(of: [], key: []).hexadecimal
        #expect(code == "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad")
    }

    @Test("takes a key of a whole block as it is, and the digest of a longer one", arguments: [63, 64, 65, 1000])
    func keys(count: Int) {
        let key = Self.bytes(7, count)
        let shortened = count > 64 ? SHA256.hash(key) : key + [0]
        let isSame = HMACSHA256.code(of: "a".utf8, key: key) == HMACSHA256.code(of: "a".utf8, key: shortened)
        // A zero after a short key changes nothing. After a key of 64 bytes it makes a longer one.
        #expect(isSame == (count != 64))
    }
}
