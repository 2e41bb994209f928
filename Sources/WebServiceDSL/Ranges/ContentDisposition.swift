// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

/// The file name in `Content-Disposition` (RFC 6266): `attachment; filename="a.txt"; filename*=UTF-8''na%C3%AFve.txt`.
package enum ContentDisposition {
    /// The name as the server sent it, which may be a path; `nil` without one. `filename*` takes precedence over
    /// `filename`, whose bytes are UTF-8 or, as in browsers, ISO 8859-1.
    package static func fileName(_ field: HTTPField) -> String? {
        var scanner = ParameterScanner(field)
        scanner.skipToParameters()
        var plain: String?
        var extended: String?
        while let (name, value) = scanner.next() {
            switch name.lowercased() {
            case "filename" where plain == nil: plain = value
            case "filename*" where extended == nil: extended = ExtendedValue.text(of: value)
            default: break
            }
        }
        return extended ?? plain
    }
}

/// Reads the parameters of a field value (RFC 9110 §5.6.6): `; name=token; name="quoted \"string\""`.
struct ParameterScanner {
    private var scanner: FieldValueScanner

    init(_ value: String) {
        scanner = FieldValueScanner(value)
    }

    init(_ field: HTTPField) {
        scanner = FieldValueScanner(field.withUnsafeBytesOfValue { Array($0) })
    }

    /// Skips everything before the first semicolon that is not in a quoted string. Returns it without blanks and
    /// quotes.
    @discardableResult
    mutating func skipToParameters() -> String {
        var text: [UInt8] = []
        while let byte = scanner.next, byte != .semicolon {
            text += byte == .quote ? scanner.quotedString() ?? [] : Array(scanner.take { $0 == byte })
        }
        return Self.text(text.trimmingSpacesAndTabs())
    }

    /// The next parameter; `nil` at the end, and after anything that is not a parameter.
    mutating func next() -> (name: String, value: String)? {
        scanner.take { $0 == .semicolon || $0.isSpaceOrTab }
        let name = scanner.take(while: \.isTokenByte)
        scanner.skipBlanks()
        guard !name.isEmpty, scanner.skip(.equalsSign) else { return nil }
        scanner.skipBlanks()
        guard let value = scanner.next == .quote ? quotedString() : plainValue() else { return nil }
        return (String(decoding: name, as: UTF8.self), value)
    }

    /// A value up to the next semicolon, since servers do not always quote what is not a token.
    private mutating func plainValue() -> String {
        Self.text(scanner.take { $0 != .semicolon }.trimmingSpacesAndTabs())
    }

    private mutating func quotedString() -> String? {
        scanner.quotedString().map { Self.text($0[...]) }
    }

    /// The text of bytes in UTF-8; those that are not UTF-8 are characters of ISO 8859-1.
    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        String(validating: bytes, as: UTF8.self)
            ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }
}
