// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftySupport

/// JSON strings as they are written, between quotes and with escapes.
package enum JSONLiteral {
    /// The offset of the quote that closes a string; `nil` if the line or the text ends first.
    static func end(in bytes: [UInt8], openedAt open: Int, before limit: Int) -> Int? {
        var index = open + 1
        while index < limit {
            switch bytes[index] {
            case .quote: return index
            case .backslash: index += 2
            case .lineFeed, .carriageReturn: return nil
            default: index += 1
            }
        }
        return nil
    }

    /// The text of a literal, given with its quotes; `nil` if it is not valid.
    static func decode(_ literal: ArraySlice<UInt8>) -> [UInt8]? {
        (try? JSONDecoder().decode(String.self, from: Data(literal))).map { Array($0.utf8) }
    }

    /// A string as a literal, with its quotes.
    static func encode(_ text: [UInt8]) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        return Array((try? encoder.encode(String(decoding: text, as: UTF8.self))) ?? Data("\"\"".utf8))
    }

    /// Whether text is likely JSON, or lines or events of it: its first character is a bracket.
    package static func isLikely(in bytes: [UInt8]) -> Bool {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let start = bytes.starts(with: mark) ? bytes.dropFirst(mark.count) : bytes[...]
        let first = start.first { !$0.isSpaceTabOrLineEnd && $0 != recordSeparator }
        return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    }

    /// The byte before each JSON text of a sequence (RFC 7464).
    private static let recordSeparator: UInt8 = 0x1E

    /// The end of a number.
    static func numberEnd(in bytes: [UInt8], from start: Int, before limit: Int) -> Int {
        bytes[start..<limit].firstIndex { !isNumberByte($0) } ?? limit
    }

    static func isNumberByte(_ byte: UInt8) -> Bool { byte.isASCIIDigit || "+-.eE".utf8.contains(byte) }
}
