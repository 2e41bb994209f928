// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Bytes of a command that are not UTF-8, kept in its strings: each is a character for private use, from U+10FF80 on.
package enum UndecodedBytes {
    private static let base: UInt32 = 0x10FF00
    private static let marks = 0x10FF80...0x10FFFF as ClosedRange<UInt32>

    /// Whether a string has such bytes.
    package static func areIn(_ text: String) -> Bool {
        text.unicodeScalars.contains { marks.contains($0.value) }
    }

    /// The string of bytes: as UTF-8 if they are, otherwise with a mark for each byte beyond ASCII.
    static func text(of bytes: [UInt8]) -> String {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        var text = String.UnicodeScalarView()
        for byte in bytes {
            let value = byte < 0x80 ? UInt32(byte) : base + UInt32(byte)
            text.append(Unicode.Scalar(value) ?? "\u{FFFD}")
        }
        return String(text)
    }

    /// The bytes of a string.
    static func data(of text: String) -> Data {
        if !areIn(text) { return Data(text.utf8) }
        var data = Data()
        for scalar in text.unicodeScalars {
            if marks.contains(scalar.value) {
                data.append(UInt8(truncatingIfNeeded: scalar.value))
            } else {
                data.append(contentsOf: String(scalar).utf8)
            }
        }
        return data
    }
}
