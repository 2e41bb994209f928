// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Base64 (RFC 4648 §4 and §5), with or without `=` at its end.
enum Base64Text {
    /// The bytes; `nil` for other text, and for fewer than two digits.
    static func decode(_ text: some Sequence<UInt8>) -> [UInt8]? {
        var digits = text.filter { $0 != UInt8(ascii: "=") }.map(standard)
        guard digits.count > 1 else { return nil }
        digits += [UInt8](repeating: UInt8(ascii: "="), count: (4 - digits.count % 4) % 4)
        return Data(base64Encoded: Data(digits)).map { Array($0) }
    }

    private static func standard(_ digit: UInt8) -> UInt8 {
        switch digit {
        case UInt8(ascii: "-"): UInt8(ascii: "+")
        case UInt8(ascii: "_"): UInt8(ascii: "/")
        default: digit
        }
    }
}
