// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport
import Testing

/// The vectors come from RFC 1321 §A.5 and the examples of FIPS 180-4; those around the ends of blocks, from OpenSSL.
@Suite("A message digest", .timeLimit(.minutes(15)))
struct MessageDigestTests {
    private func message(_ count: Int) -> [UInt8] { Array(repeating: UInt8(ascii: "a"), count: count) }

    @Test(
        "MD5 is RFC 1321's",
        arguments: [
            ("", "d41d8cd98f00b204e9800998ecf8427e"), ("a", "0cc175b9c0f1b6a831c399e269772661"),
            ("abc", "900150983cd24fb0d6963f7d28e17f72"), ("message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
            ("abcdefghijklmnopqrstuvwxyz", "c3fcd3d76192e4007dfb496cca67e13b"),
        ]
    )
    func md5(message: String, digest: String) {
        #expect(MD5.hash(Array(message.utf8)).hexadecimal == digest)
    }

    @Test(
        "SHA-256 is FIPS 180-4's",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
            (
                "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
                    + "hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
                "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
            ),
        ]
    )
    func sha256(message: String, digest: String) {
        #expect(SHA256.hash(Array(message.utf8)).hexadecimal == digest)
    }

    @Test("SHA-256 has a digest of its own for each length around the end of a block")
    func lengths() {
        #expect(Set((0...200).map { SHA256.hash(message($0)).hexadecimal }).count == 201)
        let digest = SHA256.hash(message(10_000)).hexadecimal
        #expect(digest == "27dd1f61b867b6a0f6e9d8a41c43231de52107e53ae424de8f847b821db4b711")
    }

    @Test(
        "SHA-512/256 is FIPS 180-4's",
        arguments: [
            ("", "c672b8d1ef56ed28ab87c3622c5114069bdd3ad7b8f9737498d0c01ecef0967a"),
            ("abc", "53048e2681941ef99b2e29b76b4c7dabe4c2d0c634fc6d46e0e2f13107e7af23"),
        ]
    )
    func sha512(message: String, digest: String) {
        #expect(SHA512_256.hash(Array(message.utf8)).hexadecimal == digest)
    }

    @Test(
        "pads messages that end around the end of a block",
        arguments: [
            (
                55, "ef1772b6dff9a122358552954ad0df65",
                "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318",
                "f6513468f05e7cec7d52fc337ef79dfa7c82520268d3aeba4002ead9a5642916"
            ),
            (
                56, "3b0c8ac703f828b04c6c197006d17218",
                "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a",
                "baa8bd7fb02a11878c6a1d5400f06ec5d96cd6f566da032f8dcbb602beea4ca5"
            ),
            (
                64, "014842d480b571495a4a0363793f7367",
                "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb",
                "2c3fa8f196f2aac65f15166666ecc77bd9fe195bae83ef06bb75c7857c163db9"
            ),
            (
                111, "089f243d1e831c5879aa375ee364a06e",
                "6374f73208854473827f6f6a3f43b1f53eaa3b82c21c1a6d69a2110b2a79baad",
                "0239e429f98d0ed61ee8e2a7c30afe98c1c3a80ce5dff62a107e9c538f7632ce"
            ),
            (
                112, "9146ef3527c7cfcc66dc615c3986e391",
                "f54353008a2553262ecdc4a34749563ba0950e8b0fc8652780b0a614b99683c1",
                "9216b5303edb66504570bee90e48ea5beaa5e9fe9f760bbd3e0460559fc005f6"
            ),
            (
                128, "e510683b3f5ffe4093d021808bc6ff70",
                "6836cf13bac400e9105071cd6af47084dfacad4e5e302c94bfed24e013afb73e",
                "b88f97e274f9c1d49f181c8cbd01a9c74930ad055a46ac4499a1d601f1c80bf2"
            ),
            (
                1000, "cabe45dcc9ae5b66ba86600cca6b8ba8",
                "41edece42d63e8d9bf515a9ba6932e1c20cbc9f5a5d134645adb5db1b9737ea3",
                "40eb4a70d4d69815407a9e272f0101cd67e3d11262a4a0bfc087712749c7fb53"
            ),
        ]
    )
    func padding(count: Int, md5: String, sha256: String, sha512: String) {
        #expect(MD5.hash(message(count)).hexadecimal == md5)
        #expect(SHA256.hash(message(count)).hexadecimal == sha256)
        #expect(SHA512_256.hash(message(count)).hexadecimal == sha512)
    }
}
