// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftySupport

/// The ways in which a secret is written: in URLs, with small or capital digits and with or without `/`; in forms; in
/// JSON; in HTML; in Base64, alone or within a longer text; and in hexadecimal digits.
enum SecretSpellings {
    static func all(of secret: String) -> [String] {
        let texts = [secret, html(secret)] + urls(secret) + json(secret)
        // Shorter ones would be found by chance.
        let codes = secret.utf8.count < 8 ? [] : base64(Array(secret.utf8)) + hexadecimal(secret)
        return (texts + codes).filter { !$0.isEmpty }
    }

    private static func html(_ secret: String) -> String {
        secret.replacingScalars(["&": "&amp;", "<": "&lt;", ">": "&gt;"])
    }

    private static func urls(_ secret: String) -> [String] {
        let encoded = PercentEncoding.encode(secret)
        let small = encoded.replacing(#/%[0-9A-F]{2}/#) { $0.output.lowercased() }
        // As a path allows it.
        let path = PercentEncoding.encode(secret, allowed: .path)
        let urls = [encoded, small].flatMap { [$0, $0.replacing("%20", with: "+")] }
        return urls + urls.map { $0.replacing(#/%2[Ff]/#, with: "/") } + [path]
    }

    private static func json(_ secret: String) -> [String] {
        let encoder = JSONEncoder()
        return [JSONEncoder.OutputFormatting(), .withoutEscapingSlashes].map { formatting in
            encoder.outputFormatting = formatting
            let text = String(decoding: (try? encoder.encode(secret)) ?? Data(), as: UTF8.self)
            return String(text.dropFirst().dropLast())
        }
    }

    /// The digits that depend on the secret alone, for each offset at which it may begin in a group of three bytes.
    private static func base64(_ secret: [UInt8]) -> [String] {
        (0..<3).flatMap { shift -> [String] in
            let bytes = [UInt8](repeating: 0, count: shift) + secret
            let text = Data(bytes).base64EncodedString().filter { $0 != "=" }
            let isWhole = bytes.count % 3 == 0
            let digits = String(text.dropFirst(shift == 0 ? 0 : shift + 1).dropLast(isWhole ? 0 : 1))
            return [digits, digits.replacing("+", with: "-").replacing("/", with: "_")]
        }
    }

    private static func hexadecimal(_ secret: String) -> [String] {
        let digits = Array(secret.utf8).hexadecimal
        return [digits, digits.uppercased()]
    }
}
