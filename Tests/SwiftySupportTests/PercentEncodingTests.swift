// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport
import Testing

@Suite("Percent-encoding", .timeLimit(.minutes(15)))
struct PercentEncodingTests {
    @Test("encodes every byte that the part does not allow", arguments: [("a b", "a%20b"), ("ü/%", "%C3%BC%2F%25")])
    func encodes(text: String, encoded: String) {
        #expect(PercentEncoding.encode(text) == encoded)
        #expect(PercentEncoding.decode(encoded) == text)
    }

    @Test("keeps percent-encoded bytes in a part of a URI")
    func encodesIllegal() {
        #expect(PercentEncoding.encodeIllegal(in: "/a b%20c%2", allowed: .path) == "/a%20b%20c%252")
        #expect(PercentEncoding.encodeIllegal(in: "a=\"?/", allowed: .query) == "a=%22?/")
    }

    @Test("allows in a parameter of a field what RFC 8187 allows")
    func parameter() {
        #expect(PercentEncoding.encode("Jäsøn *'%()&$~", allowed: .parameter) == "J%C3%A4s%C3%B8n%20%2A%27%25%28%29&$~")
    }

    @Test(
        "that is malformed is kept in decoded text, and refused in decoded bytes",
        arguments: ["%", "%4", "a%4g", "%%41", "%G1"]
    )
    func damage(text: String) {
        #expect(PercentEncoding.decode(text).contains("%"))
        #expect(PercentEncoding.decodedBytes(of: text[...]) == nil)
    }

    @Test("is decoded to any bytes")
    func bytes() {
        #expect(PercentEncoding.decodedBytes(of: "a%00%fF") == [0x61, 0, 0xFF])
        #expect(PercentEncoding.decode("%41%7a%FF") == "Az\u{FFFD}")
    }
}
