// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

/// Parses the value of a `Link` field byte by byte (RFC 8288, appendix B.2 and B.3).
struct WebLinkParser {
    private var scanner: FieldValueScanner

    /// The links of a field.
    ///
    /// - Returns: The links up to the first that is malformed, and whether that was the end of the field.
    static func parse(_ field: HTTPField) -> (links: [WebLink], isComplete: Bool) {
        var parser = WebLinkParser(scanner: FieldValueScanner(field.withUnsafeBytesOfValue { Array($0) }))
        var links: [WebLink] = []
        while parser.scanner.skipListSeparators() {
            guard let link = parser.link() else { return (links, false) }
            links.append(link)
        }
        return (links, true)
    }

    /// Reads `"<" URI-Reference ">" *( OWS ";" OWS link-param )` up to a comma or the end.
    private mutating func link() -> WebLink? {
        guard scanner.skip(UInt8(ascii: "<")) else { return nil }
        let target = scanner.take { $0 != UInt8(ascii: ">") }
        guard scanner.skip(UInt8(ascii: ">")), let parameters = parameters() else { return nil }
        return WebLink(target: TargetURI.asciiText(of: target), parameters: parameters)
    }

    /// The first parameter of each name; `nil` if one of them is malformed.
    private mutating func parameters() -> [String: String]? {
        var parameters: [String: String] = [:]
        while true {
            scanner.skipBlanks()
            if scanner.next == nil || scanner.next == .comma { return parameters }
            guard scanner.skip(.semicolon) else { return nil }
            scanner.skipBlanks()
            // An empty parameter is allowed by the algorithm of appendix B.3.
            let name = String(decoding: scanner.take { $0.isTokenByte }, as: UTF8.self).lowercased()
            guard let value = parameterValue() else { return nil }
            if !name.isEmpty, parameters[name] == nil, let value = Self.decoded(value, of: name) {
                parameters[name] = value
            }
        }
    }

    /// Reads `[ BWS "=" BWS ( token / quoted-string ) ]`; a token may have any byte but a separator. `nil` for an
    /// unterminated string.
    private mutating func parameterValue() -> [UInt8]? {
        scanner.skipBlanks()
        guard scanner.skip(.equalsSign) else { return [] }
        scanner.skipBlanks()
        if scanner.next == .quote { return scanner.quotedString() }
        return Array(scanner.take { $0 != .semicolon && $0 != .comma }.trimmingSpacesAndTabs())
    }

    /// The value as text; `nil` if it is an extended value that cannot be decoded.
    private static func decoded(_ value: [UInt8], of name: String) -> String? {
        let text = String(decoding: value, as: UTF8.self)
        return name.hasSuffix("*") ? ExtendedValue.text(of: text) : text
    }
}
