// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

/// Reads the elements of RFC 9110's grammar from a field value, byte by byte. A method that finds no match returns
/// `nil` or `false`.
struct FieldScanner {
    private let bytes: [UInt8]
    private var position = 0

    init(_ value: String) {
        bytes = Array(value.utf8)
    }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    /// Whether a comma or the end follows, ignoring blanks.
    var isAtElementEnd: Bool {
        var copy = self
        copy.skipBlanks()
        return copy.next == nil || copy.next == .comma
    }

    /// Skips blanks and commas, and with them the empty elements of a list.
    ///
    /// - Returns: `false` at the end.
    mutating func skipListSeparators() -> Bool {
        take { $0.isSpaceOrTab || $0 == .comma }
        return next != nil
    }

    /// Skips spaces; returns `false` if there was none.
    mutating func skipSpaces() -> Bool {
        !take { $0 == 0x20 }.isEmpty
    }

    /// Skips to the next element of a list, if that is a parameter and not the scheme of another challenge.
    mutating func skipToNextParameter() -> Bool {
        var copy = self
        guard copy.skipListSeparators() else { return false }
        var probe = copy
        guard probe.token() != nil, probe.skipEqualsSign() else { return false }
        self = copy
        return true
    }

    /// Reads a token (RFC 9110 §5.6.2).
    mutating func token() -> String? {
        text(take(while: \.isTokenByte))
    }

    /// Reads a token68 (RFC 9110 §11.2) that is the whole of its element.
    mutating func token68() -> String? {
        var copy = self
        let start = copy.take { $0.isASCIILetterOrDigit || "-._~+/".utf8.contains($0) }
        let padding = copy.take { $0 == .equalsSign }
        guard !start.isEmpty, copy.isAtElementEnd else { return nil }
        self = copy
        return text(start + padding)
    }

    /// Reads `token BWS "=" BWS ( token / quoted-string )` (RFC 9110 §11.2).
    mutating func parameter() -> (name: String, value: String)? {
        guard let name = token(), skipEqualsSign() else { return nil }
        skipBlanks()
        guard let value = next == .quote ? quotedString() : token() else { return nil }
        return (name, value)
    }

    /// Reads the content of a quoted-string (RFC 9110 §5.6.4), without quotes and backslashes; `nil` if it has no end
    /// or contains a control byte.
    private mutating func quotedString() -> String? {
        position += 1
        var content: [UInt8] = []
        while var byte = next {
            position += 1
            if byte == .quote { return String(validating: content, as: UTF8.self) }
            if byte == .backslash {
                guard let escaped = next else { return nil }
                position += 1
                byte = escaped
            }
            guard byte.isFieldByte else { return nil }
            content.append(byte)
        }
        return nil
    }

    private mutating func skipEqualsSign() -> Bool {
        skipBlanks()
        guard next == .equalsSign else { return false }
        position += 1
        return true
    }

    private mutating func skipBlanks() {
        take(while: \.isSpaceOrTab)
    }

    @discardableResult
    private mutating func take(while belongs: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        let start = position
        while let byte = next, belongs(byte) { position += 1 }
        return bytes[start..<position]
    }

    private func text(_ bytes: ArraySlice<UInt8>) -> String? {
        bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
    }
}
