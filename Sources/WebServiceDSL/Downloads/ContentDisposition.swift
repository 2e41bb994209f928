// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

/// The file name in `Content-Disposition` (RFC 6266): `attachment; filename="a.txt"; filename*=UTF-8''na%C3%AFve.txt`.
enum ContentDisposition {
    /// The name as the server sent it, which may be a path; `nil` without one. `filename*` counts before `filename`.
    static func fileName(_ value: String) -> String? {
        var scanner = ParameterScanner(value)
        scanner.skipToParameters()
        var plain: String?
        var extended: String?
        while let (name, value) = scanner.next() {
            switch name.lowercased() {
            case "filename" where plain == nil: plain = value
            case "filename*" where extended == nil: extended = decode(value)
            default: break
            }
        }
        return extended ?? plain
    }

    /// The text of an extended value (RFC 8187 §3.2): `UTF-8'language'percent-encoded`.
    private static func decode(_ value: String) -> String? {
        let parts = value.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let bytes = PercentEncoding.decodedBytes(of: parts[2]) else { return nil }
        switch parts[0].lowercased() {
        case "utf-8": return String(validating: bytes, as: UTF8.self)
        case "iso-8859-1": return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
        default: return nil
        }
    }
}

/// Reads the parameters of a field value (RFC 9110 §5.6.6): `; name=token; name="quoted \"string\""`.
struct ParameterScanner {
    private var rest: ArraySlice<UInt8>

    init(_ value: String) {
        rest = Array(value.utf8)[...]
    }

    /// Skips everything before the first semicolon. The text, without blanks.
    @discardableResult
    mutating func skipToParameters() -> String {
        let text = rest.prefix { $0 != .semicolon }
        rest = rest.dropFirst(text.count)
        return String(decoding: text.trimmingSpacesAndTabs(), as: UTF8.self)
    }

    /// The next parameter; `nil` at the end, and behind anything that is not a parameter.
    mutating func next() -> (name: String, value: String)? {
        rest = rest.drop { $0 == .semicolon || $0.isSpaceOrTab }
        let name = rest.prefix(while: \.isTokenByte)
        rest = rest.dropFirst(name.count).drop(while: \.isSpaceOrTab)
        guard !name.isEmpty, rest.first == .equalsSign else { return nil }
        rest = rest.dropFirst().drop(while: \.isSpaceOrTab)
        guard let value = rest.first == .quote ? quotedString() : plainValue() else { return nil }
        return (String(decoding: name, as: UTF8.self), value)
    }

    /// A value up to the next semicolon, since servers do not always quote what is not a token.
    private mutating func plainValue() -> String? {
        let value = rest.prefix { $0 != .semicolon }
        rest = rest.dropFirst(value.count)
        return String(decoding: value.trimmingSpacesAndTabs(), as: UTF8.self)
    }

    private mutating func quotedString() -> String? {
        rest = rest.dropFirst()
        var content: [UInt8] = []
        while var byte = rest.popFirst() {
            if byte == .quote { return String(decoding: content, as: UTF8.self) }
            if byte == .backslash {
                guard let escaped = rest.popFirst() else { return nil }
                byte = escaped
            }
            content.append(byte)
        }
        return nil
    }
}
