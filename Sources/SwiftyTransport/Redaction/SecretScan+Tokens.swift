// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftySupport

// Secrets with a known form, whatever they are called: credentials with their scheme, JSON Web Tokens, private keys in
// PEM, and tokens with the prefix of the service that issues them.
extension SecretScan {
    /// The part of the text to hide, if a secret begins at an offset; after a scheme, the part begins later.
    func token(at start: Int) -> Range<Int>? {
        switch bytes[start] {
        case UInt8(ascii: "e"): return jsonWebToken(at: start)
        case UInt8(ascii: "-"): return privateKey(at: start)
        case UInt8(ascii: "B"), UInt8(ascii: "b"):
            return bearer(at: start) ?? basic(at: start) ?? botToken(at: start) ?? prefixed(at: start)
        case UInt8(ascii: "t"), UInt8(ascii: "T"): return scheme("token", at: start, isStrict: true)
        case UInt8(ascii: "d"): return discordWebhook(at: start) ?? prefixed(at: start)
        default: return prefixed(at: start)
        }
    }

    /// The bytes with which a secret may begin: a quick test for the others.
    static func mayBeginToken(_ byte: UInt8) -> Bool { beginnings[Int(byte)] }

    private static let beginnings: [Bool] = {
        var table = [Bool](repeating: false, count: 256)
        for byte in "eBbtT-d".utf8 { table[Int(byte)] = true }
        for (prefix, _) in prefixes { table[Int(prefix.utf8Start[0])] = true }
        return table
    }()

    // MARK: - Prefixes

    /// The prefixes of issuers, with the minimum number of bytes after them.
    private static let prefixes: [(StaticString, Int)] = [
        ("AKIA", 12), ("ASIA", 12), ("AIza", 20), ("ghp_", 10), ("gho_", 10), ("ghu_", 10), ("ghs_", 10), ("ghr_", 10),
        ("github_pat_", 10), ("glpat-", 10), ("xoxa-", 10), ("xoxb-", 10), ("xoxp-", 10), ("xoxe-", 10), ("xoxs-", 10),
        ("xapp-", 10), ("sk_live_", 8), ("sk_test_", 8), ("rk_live_", 8), ("whsec_", 10), ("sk-", 20), ("npm_", 30),
        ("pypi-", 30), ("hf_", 30), ("shpat_", 20), ("dop_v1_", 30), ("ya29.", 20), ("SG.", 30),
        ("hooks.slack.com/services/", 10),
    ]

    private func prefixed(at start: Int) -> Range<Int>? {
        for (prefix, minimum) in Self.prefixes where has(prefix, at: start) {
            let content = start + prefix.utf8CodeUnitCount
            // A `.` or `/` at the end of a prefix may also be in the token.
            let sign = bytes[content - 1]
            let isPath = sign == UInt8(ascii: "/")
            let isPart = { Self.isBase64Byte($0) || $0 == sign && "./".utf8.contains(sign) }
            let value = bytes[min(content, limit)..<min(content + 60, limit)].prefix(while: isPart)
            // `sk-` also begins words; a token has digits.
            guard value.count >= minimum, minimum < 20 || value.contains(where: \.isASCIIDigit) else { continue }
            return (isPath ? content : start)..<end(from: content) { !isPart($0) }
        }
        return nil
    }

    /// `bot123456:AA…`, Telegram's token, also percent-encoded.
    private func botToken(at start: Int) -> Range<Int>? {
        guard has("bot", at: start) else { return nil }
        let digits = end(from: start + 3) { !$0.isASCIIDigit }
        guard digits - start >= 8 else { return nil }
        let colon = has(":", at: digits) ? 1 : has("%3A", at: digits) || has("%3a", at: digits) ? 3 : 0
        let end = self.end(from: digits + colon) { !Self.isBase64Byte($0) }
        return colon > 0 && end - digits - colon >= 10 ? start + 3..<end : nil
    }

    /// `discord.com/api/webhooks/ID/TOKEN`, also of `discordapp.com`.
    private func discordWebhook(at start: Int) -> Range<Int>? {
        for prefix: StaticString in ["discord.com/api/webhooks/", "discordapp.com/api/webhooks/"] {
            guard has(prefix, at: start) else { continue }
            let content = start + prefix.utf8CodeUnitCount
            let end = self.end(from: content) { !Self.isTokenByte($0) && $0 != UInt8(ascii: "/") }
            return end > content ? content..<end : nil
        }
        return nil
    }

    // MARK: - Credentials

    private func bearer(at start: Int) -> Range<Int>? {
        scheme("bearer", at: start, isStrict: bytes[start] == UInt8(ascii: "b"))
    }

    /// Credentials after the name of their scheme (RFC 9110 §11.4).
    ///
    /// - Parameter isStrict: Whether words of a sentence could follow.
    private func scheme(_ name: StaticString, at start: Int, isStrict: Bool) -> Range<Int>? {
        guard let value = credentials(of: name, at: start), !bytes[value].starts(with: Self.placeholder) else {
            return nil
        }
        let isToken = value.count >= (isStrict ? 16 : 6) && bytes[value].contains { !$0.isASCIILetter && $0 != 0x2D }
        return isToken || !isStrict && value.count >= 20 || !isStrict && isMixed(bytes[value]) ? value : nil
    }

    /// Whether upper-case and lower-case letters are mixed, as in no word.
    private func isMixed(_ value: ArraySlice<UInt8>) -> Bool {
        value.count >= 8 && value.dropFirst().contains { $0.isASCIILetter && $0 & 0x20 == 0 }
            && value.contains { $0.isASCIILetter && $0 & 0x20 != 0 }
    }

    /// Credentials of Basic (RFC 7617), which are Base64 of text with a colon.
    private func basic(at start: Int) -> Range<Int>? {
        guard let value = credentials(of: "basic", at: start), let pair = Self.base64Decoded(bytes[value]),
            pair.contains(.colon), String(validating: pair, as: UTF8.self) != nil
        else { return nil }
        return value
    }

    private func credentials(of scheme: StaticString, at start: Int) -> Range<Int>? {
        guard hasWord(scheme, at: start) else { return nil }
        let blanks = start + scheme.utf8CodeUnitCount
        var content = self.end(from: blanks) { $0 != .space }
        if content == blanks, has("%20", at: content) { content += 3 }
        // Checked before the search for the end, which would otherwise read the same bytes for each of several words in
        // a row.
        guard content > blanks else { return nil }
        let end = self.end(from: content) { !Self.isTokenByte($0) && !"+/=".utf8.contains($0) }
        // `error="…"` is a parameter.
        let isParameter = end < limit && bytes[end] == .quote && bytes[content..<end].last == .equalsSign
        return end > content && !isParameter ? content..<end : nil
    }

    /// The bytes of Base64 (RFC 4648 §4 and §5), with or without `=` at its end; `nil` for other text, and for fewer
    /// than two digits.
    private static func base64Decoded(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        var digits = text.filter { $0 != .equalsSign }.map(standardDigit)
        guard digits.count > 1 else { return nil }
        digits += [UInt8](repeating: .equalsSign, count: (4 - digits.count % 4) % 4)
        return Data(base64Encoded: Data(digits)).map { Array($0) }
    }

    private static func standardDigit(_ digit: UInt8) -> UInt8 {
        switch digit {
        case UInt8(ascii: "-"): UInt8(ascii: "+")
        case UInt8(ascii: "_"): UInt8(ascii: "/")
        default: digit
        }
    }

    // MARK: - Structured tokens

    /// A token of three parts or more (RFC 7519, RFC 7516), or one that is truncated in its second.
    private func jsonWebToken(at start: Int) -> Range<Int>? {
        guard has("eyJ", at: start) else { return nil }
        let first = end(from: start) { !Self.isBase64Byte($0) }
        guard first - start >= 6, first < limit, bytes[first] == UInt8(ascii: ".") else { return nil }
        let second = end(from: first + 1) { !Self.isBase64Byte($0) }
        let hasThird = second < limit && bytes[second] == UInt8(ascii: ".")
        // The second part of an encrypted token may be empty.
        guard hasThird ? second > first + 2 || first - start >= 20 : has("eyJ", at: first + 1) else { return nil }
        return start..<end(from: second) { !Self.isTokenByte($0) }
    }

    /// The content between the first and the last line of a private key in PEM (RFC 7468); without its last line, up to
    /// the end of the string or of the text.
    private func privateKey(at start: Int) -> Range<Int>? {
        guard has("-----BEGIN ", at: start) else { return nil }
        let label = end(from: start + 11) { !$0.isASCIILetterOrDigit && $0 != .space }
        guard has("-----", at: label), bytes[start..<label].reversed().starts(with: "PRIVATE KEY".utf8.reversed())
        else { return nil }
        let content = label + 5
        var end = content
        while end < limit, !"\"'<`".utf8.contains(bytes[end]), !has("-----", at: end) { end += 1 }
        return end > content ? content..<end : nil
    }

    // MARK: - Bytes

    /// A byte of a token: of Base64 for URLs, or a dot.
    static func isTokenByte(_ byte: UInt8) -> Bool { isBase64Byte(byte) || byte == UInt8(ascii: ".") }

    private static func isBase64Byte(_ byte: UInt8) -> Bool {
        byte.isASCIILetterOrDigit || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    }

    /// Whether a word is at an offset, in upper or lower case.
    private func hasWord(_ text: StaticString, at start: Int) -> Bool {
        let count = text.utf8CodeUnitCount
        return start + count <= limit && (0..<count).allSatisfy { bytes[start + $0] | 0x20 == text.utf8Start[$0] }
    }
}
