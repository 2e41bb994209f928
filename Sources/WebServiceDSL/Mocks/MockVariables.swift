// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

/// The values that a mock file can use as `{{name}}`: the variables of the request's path, and its query parameters as
/// `{{query.name}}`.
package struct MockVariables: Sendable {
    private let values: [String: String]
    /// The template of the request, for errors.
    private let template: String

    package static let none = MockVariables([:], template: "")

    package init(_ values: [String: String], template: String) {
        (self.values, self.template) = (values, template)
    }

    /// Replaces the variables in the content of a file that has no head, and leaves other braces as they are.
    func fillKnown(_ bytes: [UInt8], isJSON: Bool) -> [UInt8] {
        values.isEmpty ? bytes : Self.replace(bytes) { name, _ in value(name, isJSON: isJSON) }
    }

    /// Replaces the variables in a part of a file.
    ///
    /// - Parameters:
    ///   - line: The number of the first line.
    ///   - isJSON: Whether the values become parts of JSON strings.
    /// - Throws: ``MockSyntaxError`` for a name that is not a variable.
    func fill(_ bytes: [UInt8], line: Int, isJSON: Bool = false) throws(MockSyntaxError) -> [UInt8] {
        var fault: MockSyntaxError?
        let filled = Self.replace(bytes) { name, offset in
            if let value = value(name, isJSON: isJSON) { return value }
            let lines = bytes[..<offset].count { $0 == .lineFeed }
            fault = fault ?? MockSyntaxError(line + lines, unknown(name))
            return nil
        }
        if let fault { throw fault }
        return filled
    }

    private func value(_ name: String, isJSON: Bool) -> [UInt8]? {
        guard let text = values[name] else { return nil }
        // The file has the quotes of the string.
        return isJSON ? Array(JSONString.encode(text).dropFirst().dropLast()) : Array(text.utf8)
    }

    private func unknown(_ name: String) -> String {
        let known = values.keys.sorted().map { "{{\($0)}}" }.joined(separator: ", ")
        let facts = known.isEmpty ? "the request has none" : "the request has \(known)"
        return "{{\(name)}} is not a variable of \"\(template)\": \(facts); # @verbatim leaves braces as they are"
    }

    /// Replaces each `{{name}}` for which the closure has a value. A name is a letter followed by letters, digits,
    /// `_`, `-`, `.`, `[` and `]`; other braces are content.
    private static func replace(_ bytes: [UInt8], with value: (String, Int) -> [UInt8]?) -> [UInt8] {
        var (result, rest) = ([UInt8](), bytes[...])
        while let start = rest.firstRange(of: [brace, brace])?.lowerBound {
            let name = rest[(start + 2)...].prefix { isNameByte($0) }
            let isVariable = name.first?.isASCIILetter ?? false
            let isClosed = rest[name.endIndex...].starts(with: [closingBrace, closingBrace])
            guard isVariable, isClosed, let text = value(String(decoding: name, as: UTF8.self), start) else {
                result += rest[...start]
                rest = rest[(start + 1)...]
                continue
            }
            result += rest[..<start] + text
            rest = rest[(name.endIndex + 2)...]
        }
        return result + rest
    }

    private static let brace = UInt8(ascii: "{")
    private static let closingBrace = UInt8(ascii: "}")

    private static func isNameByte(_ byte: UInt8) -> Bool {
        byte.isASCIILetterOrDigit || "_-.[]".utf8.contains(byte)
    }
}
