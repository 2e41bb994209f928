// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftySupport

/// `application/x-www-form-urlencoded`, in bodies and in queries.
enum FormBody {
    /// The decoded pairs in their order.
    static func items(_ text: String) -> [(name: String, value: String)] {
        text.split(separator: "&").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (decoded(parts.first ?? ""), parts.count > 1 ? decoded(parts[1]) : "")
        }
    }

    /// Decodes `+` and percent-encoding; text that is not properly encoded is kept unchanged.
    private static func decoded(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let value = hexadecimal(rest.prefix(2)) {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func hexadecimal(_ digits: Substring.UTF8View.SubSequence) -> UInt8? {
        // `UInt8` accepts a sign, percent-encoding does not.
        guard digits.count == 2, digits.allSatisfy({ $0 >= UInt8(ascii: "0") }) else { return nil }
        return UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
    }
}

/// The parts of a `multipart/form-data` body (RFC 7578).
struct MultipartBody {
    /// One part.
    struct Part {
        let name: String
        let fileName: String?
        let content: Data
    }

    let parts: [Part]

    /// Splits `body` at the boundary that the content type names; `nil` if it names none.
    init?(_ body: Data, contentType: String) {
        guard let boundary = Self.parameter("boundary", of: contentType) else { return nil }
        let delimiter = Data("\r\n--\(boundary)".utf8)
        // The first delimiter has no line end before it; with one added, all delimiters are alike.
        let text = Data("\r\n".utf8) + body
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
