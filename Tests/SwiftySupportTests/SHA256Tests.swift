// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport
import Testing

@Suite("SHA-256", .timeLimit(.minutes(15)))
struct SHA256Tests {
    private func hex(_ message: some Collection<UInt8>) -> String {
        SHA256.hexadecimal(Array(message))
    }

    @Test(
        "has the digests of FIPS 180-4's examples",
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
    func examples(message: String, digest: String) {
        #expect(hex(message.utf8) == digest)
    }

    @Test("pads messages of every length around a block's end")
    func lengths() {
        let digests = Set((0...200).map { hex([UInt8](repeating: 0x61, count: $0)) })
        #expect(digests.count == 201)
        #expect(
            hex([UInt8](repeating: 0x61, count: 10_000))
                == "27dd1f61b867b6a0f6e9d8a41c43231de52107e53ae424de8f847b821db4b711"
        )
    }
}
