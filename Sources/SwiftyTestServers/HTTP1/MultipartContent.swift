// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftySupport

/// The parts of a `multipart/form-data` content (RFC 7578).
struct MultipartContent {
    struct Part {
        let name: String
        let fileName: String?
        let content: Data
    }

    let parts: [Part]

    /// Splits `content` at the boundary that the content type names; `nil` if it names none.
    init?(_ content: Data, contentType: String) {
        guard let boundary = Self.parameter("boundary", of: contentType) else { return nil }
        let delimiter = Data("\r\n--\(boundary)".utf8)
        // The first delimiter has no line end before it; with one added, all delimiters are alike.
        let text = Data("\r\n".utf8) + content
        var parts: [Part] = []
        var start = text.range(of: delimiter)?.upperBound
        while let from = start, let end = text.range(of: delimiter, in: from..<text.endIndex) {
            if let part = Self.part(text[from..<end.lowerBound]) { parts.append(part) }
            start = end.upperBound
        }
        self.parts = parts
    }

    private static func part(_ bytes: Data) -> Part? {
        guard let blank = bytes.range(of: Data("\r\n\r\n".utf8)) else { return nil }
        let lines = String(decoding: bytes[..<blank.lowerBound], as: UTF8.self).split(separator: "\r\n")
        let disposition = lines.first { $0.lowercased().hasPrefix("content-disposition:") }
        guard let disposition = disposition.map(String.init) else { return nil }
        return Part(
            name: parameter("name", of: disposition) ?? "",
            fileName: parameter("filename", of: disposition),
            content: bytes[blank.upperBound...]
        )
    }

    /// The value of a parameter, as in `; name="value"` or `; name=value`.
    static func parameter(_ name: String, of field: String) -> String? {
        var rest = field[...]
        while let semicolon = rest.firstIndex(of: ";") {
            rest = rest[rest.index(after: semicolon)...].drop { $0 == " " || $0 == "\t" }
            guard rest.prefix(name.count + 1).lowercased() == "\(name)=" else { continue }
            let value = rest.dropFirst(name.count + 1)
            if value.hasPrefix("\"") { return quoted(value.dropFirst()) }
            return String(value.prefix { $0 != ";" }.trimmingSpacesAndTabs())
        }
        return nil
    }

    private static func quoted(_ text: Substring) -> String {
        var result = ""
        var isEscaped = false
        for character in text {
            if !isEscaped && character == "\"" { break }
            isEscaped = !isEscaped && character == "\\"
            if !isEscaped { result.append(character) }
        }
        return result
    }
}
