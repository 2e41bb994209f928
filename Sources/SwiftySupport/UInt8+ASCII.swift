// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// Bytes as the grammars of RFC 5234, RFC 9110 and RFC 3986 name them.
extension UInt8 {
    /// `DIGIT`.
    @inlinable package var isASCIIDigit: Bool { self >= 0x30 && self <= 0x39 }

    /// `ALPHA`.
    @inlinable package var isASCIILetter: Bool { self | 0x20 >= 0x61 && self | 0x20 <= 0x7A }

    /// `ALPHA` or `DIGIT`.
    @inlinable package var isASCIILetterOrDigit: Bool { isASCIIDigit || isASCIILetter }

    /// `HEXDIG`, in either case.
    @inlinable package var isASCIIHexDigit: Bool { isASCIIDigit || (self | 0x20 >= 0x61 && self | 0x20 <= 0x66) }

    /// The value of a hexadecimal digit, 0...15; `nil` for any other byte.
    @inlinable package var hexadecimalValue: UInt8? {
        if isASCIIDigit { return self &- 0x30 }
        return isASCIIHexDigit ? (self | 0x20) &- 0x57 : nil
    }

    /// Space or tab, the bytes of optional white space (`OWS`, RFC 9110 §5.6.3).
    @inlinable package var isSpaceOrTab: Bool { self == 0x20 || self == 0x09 }

    /// Space, tab, CR or LF.
    @inlinable package var isSpaceTabOrLineEnd: Bool { isSpaceOrTab || self == 0x0D || self == 0x0A }

    /// `CTL`: a control character, tab and DEL included.
    @inlinable package var isASCIIControl: Bool { self < 0x20 || self == 0x7F }

    /// A byte of a token (RFC 9110 §5.6.2), such as a method or a field name.
    @inlinable package var isTokenByte: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x5E...0x60, 0x7C, 0x7E: true
        default: false
        }
    }

    /// A byte of a field value or a quoted string (RFC 9110 §5.5): no control character except the tab.
    @inlinable package var isFieldByte: Bool { !isASCIIControl || self == 0x09 }
}

/// Bytes with a meaning in these grammars.
extension UInt8 {
    @inlinable package static var space: UInt8 { UInt8(ascii: " ") }
    @inlinable package static var carriageReturn: UInt8 { UInt8(ascii: "\r") }
    @inlinable package static var lineFeed: UInt8 { UInt8(ascii: "\n") }
    @inlinable package static var colon: UInt8 { UInt8(ascii: ":") }
    @inlinable package static var semicolon: UInt8 { UInt8(ascii: ";") }
    @inlinable package static var comma: UInt8 { UInt8(ascii: ",") }
    @inlinable package static var equalsSign: UInt8 { UInt8(ascii: "=") }
    @inlinable package static var quote: UInt8 { UInt8(ascii: "\"") }
    @inlinable package static var backslash: UInt8 { UInt8(ascii: "\\") }
    @inlinable package static var digitZero: UInt8 { UInt8(ascii: "0") }
}

extension Collection<UInt8> {
    /// Whether the bytes are a token (RFC 9110 §5.6.2).
    @inlinable package var isToken: Bool { !isEmpty && allSatisfy { $0.isTokenByte } }

    /// Whether the bytes are decimal digits, at least one (`1*DIGIT`).
    @inlinable package var isDecimal: Bool { !isEmpty && allSatisfy { $0.isASCIIDigit } }

    /// Whether the bytes are visible ASCII characters, at least one (`1*VCHAR`): a token that one field can carry.
    @inlinable package var isVisibleASCII: Bool { !isEmpty && allSatisfy { (0x21...0x7E).contains($0) } }
}
