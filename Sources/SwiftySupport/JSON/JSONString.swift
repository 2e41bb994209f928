// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// JSON strings as they are written: between quotes and with escapes (RFC 8259 §7).
package enum JSONString {
    /// The text of a string, given with its quotes; `nil` if it is not valid, or not UTF-8.
    package static func decode(_ literal: ArraySlice<UInt8>) -> [UInt8]? {
        guard literal.count >= 2, literal.first == .quote, literal.last == .quote else { return nil }
        var rest = literal.dropFirst().dropLast()
        var text: [UInt8] = []
        text.reserveCapacity(rest.count)
        while let byte = rest.popFirst() {
            switch byte {
            case .backslash:
                guard let scalar = takeEscaped(from: &rest) else { return nil }
                text += String(scalar).utf8
            case .quote, 0..<0x20: return nil
            default: text.append(byte)
            }
        }
        return String(validating: text, as: UTF8.self) == nil ? nil : text
    }

    /// A text with quotes.
    ///
    /// - Parameter isEscaped: Whether a character is escaped besides those that must be.
    package static func encode(_ text: String, isEscaped: (Unicode.Scalar) -> Bool = { _ in false }) -> [UInt8] {
        var literal: [UInt8] = [.quote]
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": literal += [.backslash, UInt8(ascii: scalar)]
            case "\n": literal += [.backslash, UInt8(ascii: "n")]
            case "\r": literal += [.backslash, UInt8(ascii: "r")]
            case "\t": literal += [.backslash, UInt8(ascii: "t")]
            case _ where scalar.value < 0x20 || isEscaped(scalar):
                for unit in String(scalar).utf16 {
                    literal += "\\u\([UInt8(unit >> 8), UInt8(unit & 0xFF)].hexadecimal)".utf8
                }
            default: literal += String(scalar).utf8
            }
        }
        return literal + [.quote]
    }

    /// Takes what follows a backslash; `nil` if there is no such escape, or half of a surrogate pair.
    private static func takeEscaped(from rest: inout ArraySlice<UInt8>) -> Unicode.Scalar? {
        switch rest.popFirst() {
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return takeCodeUnits(from: &rest)
        case let byte? where [.quote, .backslash, UInt8(ascii: "/")].contains(byte): return Unicode.Scalar(byte)
        default: return nil
        }
    }

    /// Takes the digits of one code unit, or of a surrogate pair.
    private static func takeCodeUnits(from rest: inout ArraySlice<UInt8>) -> Unicode.Scalar? {
        guard let first = takeCodeUnit(from: &rest) else { return nil }
        guard UTF16.isLeadSurrogate(first) else { return Unicode.Scalar(first) }
        guard rest.starts(with: #"\u"#.utf8) else { return nil }
        rest.removeFirst(2)
        guard let second = takeCodeUnit(from: &rest), UTF16.isTrailSurrogate(second) else { return nil }
        return Unicode.Scalar(0x1_0000 + UInt32(first & 0x3FF) << 10 + UInt32(second & 0x3FF))
    }

    private static func takeCodeUnit(from rest: inout ArraySlice<UInt8>) -> UInt16? {
        let digits = rest.prefix(4)
        guard digits.count == 4 else { return nil }
        rest.removeFirst(4)
        return digits.reduce(UInt16?(0)) { value, digit in
            digit.hexadecimalValue.flatMap { nibble in value.map { $0 << 4 | UInt16(nibble) } }
        }
    }
}
