// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import SwiftyTransport

@Suite("Target URIs of random pieces", .timeLimit(.minutes(15)))
struct TargetURISweepTests {
    private static let starts = ["http://", "https://", "HTTP://", "ftp://", "http:/", "https:", "//", ""]
    private static let pieces = [
        "a", "A", "api.example.com", "a_b-c", "1a", "127.0.0.1", "127.1", "0x7f", "255", "256", "01", "0", ".", "..",
        ":",
        ":80", ":443", ":8080", ":080", ":0", ":65535", ":65536", ":123456", "/", "/v1", "?", "?a=b", "#", "%41", "%",
        "%2e", "/.", "/..", "/%2E.", "/a/", "[::ffff:1.2.3.4]",
        "@",
        "[::1]", "[", "]", "é", " ", "\\", "\n", "{", "\"", String(repeating: "x", count: 63), "y",
    ]

    private func compare(_ text: String) {
        let target = try? TargetURI(text)
        if let reference = TargetURI(reference: text) { #expect(target == reference, "\(text.debugDescription)") }
        // The parsed form is the normal form.
        if let target { #expect((try? TargetURI(target.string))?.string == target.string, "\(text.debugDescription)") }
    }

    @Test("are parsed as by the reference, for each pair of difficult pieces")
    func allPieces() {
        for start in Self.starts {
            for first in Self.pieces {
                compare(start + first)
                for second in Self.pieces { compare(start + first + second) }
            }
        }
    }

    @Test("are parsed as by the reference, for random text")
    func random() {
        for _ in 0..<5_000 {
            let pieces = (0..<Int.random(in: 3...7)).map { _ in Self.pieces.randomElement() ?? "" }
            compare((Self.starts.prefix(2).randomElement() ?? "") + pieces.joined())
        }
    }

    @Test("are parsed as by the reference, for long hosts and addresses")
    func hosts() {
        for count in 245...260 { compare("http://" + String(repeating: "a.", count: count / 2) + "com") }
        for number in 0...300 { compare("http://1.\(number).3.\(number)/") }
    }

    @Test(
        "that are common are parsed by the reference",
        arguments: [
            "http://localhost", "https://api.example.com/v1/x?y=z", "http://127.0.0.1:8080", "https://a.b:8443/",
            "https://example.com?",
        ]
    )
    func isTaken(text: String) {
        #expect(TargetURI(reference: text) != nil)
    }
}
