// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// Bytes as the grammars of RFC 5234, RFC 9110 and RFC 9112 name them.
extension UInt8 {
    static let space = UInt8(ascii: " ")
    static let tab = UInt8(ascii: "\t")
    static let carriageReturn = UInt8(ascii: "\r")
    static let lineFeed = UInt8(ascii: "\n")
    static let zero = UInt8(ascii: "0")
    static let colon = UInt8(ascii: ":")

    var isDigit: Bool { self >= 0x30 && self <= 0x39 }
    var isSpaceOrTab: Bool { self == .space || self == .tab }
    /// Space, tab, CR or LF.
    var isBlank: Bool { isSpaceOrTab || self == .carriageReturn || self == .lineFeed }

    /// A byte of a token (RFC 9110 §5.6.2), such as a method or a field name.
    var isTokenByte: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x5E...0x60, 0x7C, 0x7E: true
        default: false
        }
    }

    /// A byte of a field value or a quoted string (RFC 9110 §5.5): no control byte except the tab.
    var isFieldByte: Bool { self >= 0x20 && self != 0x7F || self == .tab }

    /// The value of a hexadecimal digit.
    var hexadecimalDigit: Int? {
        switch self {
        case 0x30...0x39: Int(self &- 0x30)
        case 0x41...0x46: Int(self &- 0x37)
        case 0x61...0x66: Int(self &- 0x57)
        default: nil
        }
    }
}
