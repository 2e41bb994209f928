// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// Reads the value of a header field byte by byte, in the grammar of RFC 9110 §5.6. A method that finds no match
/// returns `nil` or `false`.
package struct FieldValueScanner {
    private let bytes: [UInt8]
    private var position = 0

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    package init(_ value: String) {
        self.init(Array(value.utf8))
    }

    /// The next byte; `nil` at the end.
    package var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    /// Skips blanks and commas, and with them the empty elements of a list.
    ///
    /// - Returns: `false` at the end.
    package mutating func skipListSeparators() -> Bool {
        take { $0.isSpaceOrTab || $0 == .comma }
        return next != nil
    }

    /// Skips spaces and tabs.
    package mutating func skipBlanks() {
        take(while: \.isSpaceOrTab)
    }

    /// Skips a byte, if it is the next one.
    package mutating func skip(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        position += 1
        return true
    }

    /// Reads bytes up to the first that does not match, or the end.
    @discardableResult
    package mutating func take(while belongs: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        let start = position
        while let byte = next, belongs(byte) { position += 1 }
        return bytes[start..<position]
    }

    /// Reads the content of a quoted-string (RFC 9110 §5.6.4), without quotes and backslashes; `nil` if it is
    /// unterminated.
    package mutating func quotedString() -> [UInt8]? {
        guard skip(.quote) else { return nil }
        var content: [UInt8] = []
        while var byte = next {
            position += 1
            if byte == .quote { return content }
            if byte == .backslash {
                guard let escaped = next else { return nil }
                position += 1
                byte = escaped
            }
            content.append(byte)
        }
        return nil
    }
}

/// An extended value of a parameter (RFC 8187 §3.2): `UTF-8'language'percent-encoded`.
package enum ExtendedValue {
    /// The text; `nil` if the value is malformed, or in another encoding than UTF-8 and the ISO-8859-1 of the earlier
    /// RFC 5987.
    package static func text(of value: String) -> String? {
        let parts = value.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let bytes = PercentEncoding.decodedBytes(of: parts[2]) else { return nil }
        switch parts[0].lowercased() {
        case "utf-8": return String(validating: bytes, as: UTF8.self)
        case "iso-8859-1": return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
        default: return nil
        }
    }
}
