// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// Finds JSON in other text, such as a line of a log, without checking it.
package enum JSONSearch {
    /// Whether text is likely JSON, or lines or events of it: its first character is a bracket.
    package static func isLikely(_ text: [UInt8]) -> Bool {
        let first = text.withoutByteOrderMark.first { !$0.isSpaceTabOrLineEnd && $0 != recordSeparator }
        return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    }

    /// The byte before each JSON text of a sequence (RFC 7464).
    private static let recordSeparator: UInt8 = 0x1E

    /// The offset of the quote that closes a string; `nil` if the line or the text ends first.
    package static func stringEnd(in text: [UInt8], openedAt open: Int, before limit: Int) -> Int? {
        var index = open + 1
        while index < limit {
            switch text[index] {
            case .quote: return index
            case .backslash: index += 2
            case .lineFeed, .carriageReturn: return nil
            default: index += 1
            }
        }
        return nil
    }

    /// The offset after a number.
    package static func numberEnd(in text: [UInt8], from start: Int, before limit: Int) -> Int {
        text[start..<limit].firstIndex { !isNumberByte($0) } ?? limit
    }

    package static func isNumberByte(_ byte: UInt8) -> Bool { byte.isASCIIDigit || "+-.eE".utf8.contains(byte) }
}
