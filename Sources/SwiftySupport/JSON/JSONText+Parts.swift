// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension JSONText {
    /// A member of an object, or an element of an array.
    package struct Part: Sendable {
        /// The name of the member, without quotes and escapes; empty for an element.
        package let name: String
        package let value: JSONText
        /// The 1-based number of the line on which the value begins.
        package let line: Int
    }

    /// Whether the text is an object.
    package var isObject: Bool { firstByte == UInt8(ascii: "{") }

    /// Whether the text is an array.
    package var isArray: Bool { firstByte == UInt8(ascii: "[") }

    private var firstByte: UInt8? { bytes.first { !$0.isSpaceTabOrLineEnd } }

    /// The members of the object or the elements of the array, in their order; none for another value.
    ///
    /// - Parameter line: The number of the line on which the text begins.
    package func parts(fromLine line: Int = 1) -> [Part] {
        var (parts, name, depth, start) = ([Part](), "", 0, bytes.startIndex)
        var (line, counted) = (line, start)

        func add(_ range: Range<Int>) {
            line += bytes[counted..<range.lowerBound].count { $0 == .lineFeed }
            counted = range.lowerBound
            parts.append(Part(name: name, value: JSONText(valid: bytes[range]), line: line))
        }

        for token in JSONScanner(bytes) {
            if token.kind == .close { depth -= 1 }
            if depth == 1 {
                switch token.kind {
                case .comma, .colon: break
                case .name: name = Self.name(bytes[token.range])
                case .open: start = token.range.lowerBound
                case .close: add(start..<token.range.upperBound)
                case .string, .number, .literal: add(token.range)
                }
            }
            if token.kind == .open { depth += 1 }
        }
        return parts
    }

    private static func name(_ literal: ArraySlice<UInt8>) -> String {
        String(decoding: JSONString.decode(literal) ?? Array(literal.dropFirst().dropLast()), as: UTF8.self)
    }
}
