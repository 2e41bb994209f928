// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

/// Parses the value of a `Link` field byte by byte (RFC 8288, appendix B.2 and B.3).
struct WebLinkParser {
    private let bytes: [UInt8]
    private var position = 0

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The links of a field.
    ///
    /// - Returns: The links up to the first that is malformed, and whether that was the end of the field.
    static func parse(_ field: HTTPField) -> (links: [WebLink], isComplete: Bool) {
        var parser = WebLinkParser(field.withUnsafeBytesOfValue { Array($0) })
        var links: [WebLink] = []
        while parser.skipListSeparators() {
            guard let link = parser.link() else { return (links, false) }
            links.append(link)
        }
        return (links, true)
    }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    /// Skips blanks and commas, and with them the empty elements of a list; `false` at the end.
    private mutating func skipListSeparators() -> Bool {
        take { $0.isSpaceOrTab || $0 == .comma }
        return next != nil
    }

    /// Reads `"<" URI-Reference ">" *( OWS ";" OWS link-param )` up to a comma or the end.
    private mutating func link() -> WebLink? {
        guard skip(UInt8(ascii: "<")) else { return nil }
        let target = take { $0 != UInt8(ascii: ">") }
        guard skip(UInt8(ascii: ">")), let parameters = parameters() else { return nil }
        return WebLink(target: TargetURI.asciiText(of: target), parameters: parameters)
    }

    /// The first parameter of each name; `nil` if one of them is malformed.
    private mutating func parameters() -> [String: String]? {
        var parameters: [String: String] = [:]
        while true {
            skipBlanks()
            if next == nil || next == .comma { return parameters }
            guard skip(.semicolon) else { return nil }
            skipBlanks()
            // An empty parameter is allowed by the algorithm of appendix B.3.
            let name = String(decoding: take { $0.isTokenByte }, as: UTF8.self).lowercased()
            guard let value = parameterValue() else { return nil }
            if !name.isEmpty, parameters[name] == nil, let value = Self.decoded(value, of: name) {
                parameters[name] = value
            }
        }
    }

    /// Reads `[ BWS "=" BWS ( token / quoted-string ) ]`; a token may have any byte but a separator. `nil` for a string
    /// without end.
    private mutating func parameterValue() -> [UInt8]? {
        skipBlanks()
        guard skip(.equalsSign) else { return [] }
        skipBlanks()
        if skip(.quote) { return quotedString() }
        let value = take { $0 != .semicolon && $0 != .comma }
        return Array(value.trimmingSpacesAndTabs())
    }

    /// The rest of a quoted-string (RFC 9110 §5.6.4), without its backslashes.
    private mutating func quotedString() -> [UInt8]? {
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

    /// The value as text; `nil` if it is an extended value (RFC 8187) that cannot be decoded.
    private static func decoded(_ value: [UInt8], of name: String) -> String? {
        name.hasSuffix("*") ? extendedText(value) : String(decoding: value, as: UTF8.self)
    }

    /// Decodes `UTF-8'language'percent-encoded` (RFC 8187 §3.2); no other character encoding may be used.
    private static func extendedText(_ value: [UInt8]) -> String? {
        let parts = value.split(separator: UInt8(ascii: "'"), maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, String(decoding: parts[0], as: UTF8.self).lowercased() == "utf-8" else { return nil }
        let text = String(decoding: parts[2], as: UTF8.self)
        return PercentEncoding.decodedBytes(of: text[...]).flatMap { String(validating: $0, as: UTF8.self) }
    }

    private mutating func skip(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
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
}
