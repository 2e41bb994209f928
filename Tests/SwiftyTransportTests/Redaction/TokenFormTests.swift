// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import SwiftyTransport

@Suite("A text with a token", .timeLimit(.minutes(15)))
struct TokenFormTests {
    @Test(
        "has a placeholder in its place, whatever it is called",
        arguments: [
            ("a Bearer Abc123Def b", "a Bearer REDACTED b"), ("bearer abc123def456ghi789", "bearer REDACTED"),
            ("Bearer%20abc123", "Bearer%20REDACTED"), ("x: Basic YWRhOmh1c2g=", "x: Basic REDACTED"),
            ("token 0123456789abcdef0123", "token REDACTED"), ("(eyJhbGciOiJI.eyJzdWIi.c2ln)", "(REDACTED)"),
            ("eyJhbGciOiJkaXIiLCJlbmMiOiJB..aXY.Y2lwaGVy.dGFn", "REDACTED"), ("eyJhbGciOiJI.eyJzdW", "REDACTED"),
            ("id AKIAIOSFODNN7EXAMPLE.", "id REDACTED."), ("ASIAIOSFODNN7EXAMPLE", "REDACTED"),
            ("ghp_abcdefghij0123456789", "REDACTED"), ("github_pat_11ABCDEFG0_abcdefgh", "REDACTED"),
            ("glpat-abcdefghij0123456789", "REDACTED"), ("xoxb-123456789012-abcdef", "REDACTED"),
            ("sk_live_abcdefgh12345678", "REDACTED"), ("sk-abcdefghij0123456789ABCD", "REDACTED"),
            ("AIzaSyA0123456789abcdefghijklmnopqrstuv", "REDACTED"),
            ("/bot123456:AAE-secret-token/sendMessage", "/botREDACTED/sendMessage"),
            ("/bot123456%3AAAE-secret-token/x", "/botREDACTED/x"),
            ("https://hooks.slack.com/services/T0/B0/abcdef", "https://hooks.slack.com/services/REDACTED"),
            ("https://discord.com/api/webhooks/1/ab-c", "https://discord.com/api/webhooks/REDACTED"),
            (
                "-----BEGIN EC PRIVATE KEY-----\nab+/\n-----END EC PRIVATE KEY-----",
                "-----BEGIN EC PRIVATE KEY-----REDACTED-----END EC PRIVATE KEY-----"
            ),
            ("-----BEGIN PRIVATE KEY-----\nab", "-----BEGIN PRIVATE KEY-----REDACTED"),
        ]
    )
    func tokens(_ text: String, _ redacted: String) {
        #expect(Redactor().text(text) == redacted)
        #expect(Redactor().text(redacted) == redacted)
    }

    @Test(
        "that only looks like one stays as it is",
        arguments: [
            "with a token that is not a bearer token", "Bearer realm=\"x\", error=\"invalid_token\"",
            "Basic authentication", "basic realm", "Bearer token", "the token is old", "eyJ", "eyJ.x.y", "AKIA",
            "sk-Latn", "bot12:34", "robot123456", "-----BEGIN CERTIFICATE-----\nab\n-----END CERTIFICATE-----",
            "say: nothing", "https://x.test/a?page=2&sort=name#top", "exit code=1", "key=a b", "a == b", "x::y",
            "Array<Token> could not be decoded", "a < b > c", "2026-11-25T10:00:00Z", "GET /status failed (timedOut)",
        ]
    )
    func plain(text: String) {
        #expect(Redactor().text(text) == text)
    }

    @Test("of marks that reverse the text after them has them escaped")
    func direction() {
        for scalar: Unicode.Scalar in ["\u{202E}", "\u{2066}", "\u{2069}", "\u{200E}", "\u{200F}", "\u{61C}", "\u{85}"]
        {
            let line = Redaction.oneLine("a\(scalar)b")
            #expect(line == "a\(scalar.escaped(asASCII: true))b")
            #expect(!line.unicodeScalars.contains(scalar))
        }
        #expect(Redaction.oneLine("aüשb") == "aüשb")
    }
}
