// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

/// Reads the elements of authentication fields (RFC 9110 §11). A method that finds no match returns `nil` or `false`.
struct ChallengeScanner {
    private var scanner: FieldValueScanner

    init(_ value: String) {
        scanner = FieldValueScanner(value)
    }

    /// Whether a comma or the end follows, ignoring blanks.
    var isAtElementEnd: Bool {
        var copy = scanner
        copy.skipBlanks()
        return copy.next == nil || copy.next == .comma
    }

    /// Skips blanks and commas, and with them the empty elements of a list.
    ///
    /// - Returns: `false` at the end.
    mutating func skipListSeparators() -> Bool {
        scanner.skipListSeparators()
    }

    /// Skips spaces; returns `false` if there was none.
    mutating func skipSpaces() -> Bool {
        !scanner.take { $0 == 0x20 }.isEmpty
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
        text(scanner.take(while: \.isTokenByte))
    }

    /// Reads a token68 (RFC 9110 §11.2) that is the whole of its element.
    mutating func token68() -> String? {
        var copy = self
        let start = copy.scanner.take { $0.isASCIILetterOrDigit || "-._~+/".utf8.contains($0) }
        let padding = copy.scanner.take { $0 == .equalsSign }
        guard !start.isEmpty, copy.isAtElementEnd else { return nil }
        self = copy
        return text(start + padding)
    }

    /// Reads `token BWS "=" BWS ( token / quoted-string )` (RFC 9110 §11.2).
    mutating func parameter() -> (name: String, value: String)? {
        guard let name = token(), skipEqualsSign() else { return nil }
        scanner.skipBlanks()
        guard let value = scanner.next == .quote ? quotedString() : token() else { return nil }
        return (name, value)
    }

    /// Reads the content of a quoted-string; `nil` if it has no end or contains a control byte.
    private mutating func quotedString() -> String? {
        guard let content = scanner.quotedString(), content.allSatisfy(\.isFieldByte) else { return nil }
        return String(validating: content, as: UTF8.self)
    }

    private mutating func skipEqualsSign() -> Bool {
        scanner.skipBlanks()
        return scanner.skip(.equalsSign)
    }

    private func text(_ bytes: ArraySlice<UInt8>) -> String? {
        bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
    }
}
