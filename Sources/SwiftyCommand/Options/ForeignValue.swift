// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftySupport

/// The form of an argument, which decides whether it is the value of the option before it.
enum ArgumentForm {
    /// Whether the text is `Name: value`, `Name:` or `Name;`: no URL and no item has this form.
    static func isField(_ text: String) -> Bool {
        if text.hasSuffix(";") { return text.dropLast().utf8.isToken }
        guard let (name, value) = split(text) else { return false }
        return name.utf8.isToken && (value.isEmpty || value.hasPrefix(" "))
    }

    /// Whether the text is `Name:value`, which is also an item, and neither `host:port` nor a URL.
    static func isDenseField(_ text: String) -> Bool {
        guard let (name, value) = split(text), name.utf8.isToken, !value.hasPrefix("//"), !value.hasPrefix("=") else {
            return false
        }
        let behindDigits = value.drop(while: \.isNumber)
        return
            !(behindDigits.isEmpty
            || behindDigits.startIndex > value.startIndex && "/?".contains(behindDigits.first ?? "/"))
    }

    /// Whether the text is a JSON object, array or string, or names a file.
    static func isJSON(_ text: String) -> Bool {
        text.hasPrefix("@") || text.first.map { "{[\"".contains($0) } == true && JSONText(text.utf8) != nil
    }

    /// Whether the text is `name=value`, and neither a URL nor a query item.
    static func isPair(_ text: String) -> Bool {
        guard let equals = text.firstIndex(of: "="), equals > text.startIndex else { return false }
        return !text[..<equals].contains { ":/?.[".contains($0) } && !text[equals...].hasPrefix("==")
    }

    /// Whether the text is the name of a file, as curl's `-b` takes it.
    static func isFile(_ text: String) -> Bool {
        var information = stat()
        return stat(text, &information) == 0 && information.st_mode & S_IFMT == S_IFREG
    }

    private static func split(_ text: String) -> (Substring, Substring)? {
        text.firstIndex(of: ":").map { (text[..<$0], text[$0...].dropFirst()) }
    }
}

/// Converts values of curl's options to items.
enum CURLItem {
    /// The item for `Name: value`, `Name:` or `Name;`.
    static func fieldItem(_ text: String) throws(UsageError) -> String {
        if let colon = text.firstIndex(of: ":") {
            let value = text[colon...].dropFirst().trimmingCharacters(in: .whitespaces)
            if value.isEmpty { return "\(text[..<colon]):" }
            // The space keeps "=" and "@" at the beginning of the value from extending the separator.
            return "\(text[..<colon]): \(escaped(value))"
        }
        if text.hasSuffix(";"), text.count > 1 { return text }
        throw UsageError("\"\(text)\" is not a header field.", hint: "Write 'Name: value'.")
    }

    /// The query item for `name=value`.
    static func queryItem(_ text: String) throws(UsageError) -> String {
        guard let equals = text.firstIndex(of: "="), equals > text.startIndex else {
            throw UsageError("\"\(text)\" is not a query parameter.", hint: "Write name==value behind the URL.")
        }
        let name = escapedName(text[..<equals])
        return "\(name)==\(escaped(String(text[equals...].dropFirst())))"
    }

    /// A name as in an item, with its separators escaped.
    static func escapedName(_ name: some StringProtocol) -> String {
        name.reduce(into: "") { $0 += ":=@;\\".contains($1) ? "\\\($1)" : "\($1)" }
    }

    /// A value as after the `=` of an item, with its beginning escaped so that it cannot extend the separator.
    static func escapedValue(_ value: String) -> String {
        let escaped = escaped(value)
        return escaped.first.map { "=@".contains($0) } == true ? "\\\(escaped)" : escaped
    }

    /// The value of an item, with its backslashes escaped.
    private static func escaped(_ value: String) -> String { value.replacing("\\", with: "\\\\") }
}
