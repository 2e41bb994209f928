// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Searches for a secret in an output, in every spelling in which it could be read there: as it is, percent-encoded,
/// escaped for JSON, in Base64 and in hexadecimal digits, also one within another.
package enum SecretSearch {
    /// The spelling in which a text has the secret; `nil` if it has not.
    package static func spelling(of secret: String, in text: String, depth: Int = 2) -> String? {
        if text.contains(secret) { return "as it is" }
        guard depth > 0 else { return nil }
        for (name, decode) in decoders {
            let decoded = decode(text)
            if decoded == text || decoded.isEmpty { continue }
            if let inner = spelling(of: secret, in: decoded, depth: depth - 1) { return "\(name), \(inner)" }
        }
        return nil
    }

    private static let decoders: [(String, @Sendable (String) -> String)] = [
        ("percent-encoded", percentDecoded), ("escaped", unescaped), ("in Base64", base64Decoded),
        ("in hexadecimal digits", hexDecoded),
    ]

    private static func percentDecoded(_ text: String) -> String {
        text.replacing(#/%([0-9A-Fa-f]{2})/#) { match in
            String(UnicodeScalar(UInt8(match.1, radix: 16) ?? 0))
        }
    }

    private static func unescaped(_ text: String) -> String {
        text.replacing(#/\\u([0-9A-Fa-f]{4})/#) { match in
            UInt32(match.1, radix: 16).flatMap { UnicodeScalar($0) }.map { String(Character($0)) } ?? ""
        }
        .replacing(#/\\(.)/#) { String($0.1) }
    }

    /// The texts of all runs of digits of Base64, each from its first four places on.
    private static func base64Decoded(_ text: String) -> String {
        let standard = text.replacing("-", with: "+").replacing("_", with: "/")
        return standard.matches(of: #/[A-Za-z0-9+\/]{12,}/#).map { match in
            (0..<4).map { offset in
                let rest = match.output.dropFirst(offset)
                let digits = rest.count % 4 == 1 ? rest.dropLast() : rest
                let padding = String(repeating: "=", count: (4 - digits.count % 4) % 4)
                return String(decoding: Data(base64Encoded: digits + padding) ?? Data(), as: UTF8.self)
            }
            .joined(separator: "\n")
        }
        .joined(separator: "\n")
    }

    private static func hexDecoded(_ text: String) -> String {
        let digits = text.replacing("\\x", with: "")
        return digits.matches(of: #/[0-9A-Fa-f]{16,}/#).map { match in
            var bytes: [UInt8] = []
            var rest = match.output
            while rest.count > 1 {
                bytes.append(UInt8(rest.prefix(2), radix: 16) ?? 0)
                rest = rest.dropFirst(2)
            }
            return String(decoding: bytes, as: UTF8.self)
        }
        .joined(separator: "\n")
    }
}
