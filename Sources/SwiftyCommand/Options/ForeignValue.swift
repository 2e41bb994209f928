// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What an argument looks like, where that decides whether it is the value of the option before it.
enum ArgumentForm {
    /// `Name: value`, `Name:` or `Name;`: no URL and no item of ours has this form.
    static func isField(_ text: String) -> Bool {
        if text.hasSuffix(";") { return isToken(text.dropLast()) }
        guard let (name, value) = split(text) else { return false }
        return isToken(name) && (value.isEmpty || value.hasPrefix(" "))
    }

    /// `Name:value`, which is an item of ours, too, and neither `host:port` nor a URL.
    static func isDenseField(_ text: String) -> Bool {
        guard let (name, value) = split(text), isToken(name), !value.hasPrefix("//"), !value.hasPrefix("=") else {
            return false
        }
        let behindDigits = value.drop(while: \.isNumber)
        return
            !(behindDigits.isEmpty
            || behindDigits.startIndex > value.startIndex && "/?".contains(behindDigits.first ?? "/"))
    }

    /// A JSON object, array or string, or a file of it.
    static func isJSON(_ text: String) -> Bool {
        text.hasPrefix("@") || text.first.map { "{[\"".contains($0) } == true && JSONText(text.utf8) != nil
    }

    /// What curl's `-d` takes: JSON, a file, `name=value`.
    static func isData(_ text: String) -> Bool { isJSON(text) || isPair(text) }

    /// `name=value`, and neither a URL nor a query item.
    static func isPair(_ text: String) -> Bool {
        guard let equals = text.firstIndex(of: "="), equals > text.startIndex else { return false }
        return !text[..<equals].contains { ":/?.[".contains($0) } && !text[equals...].hasPrefix("==")
    }

    private static func split(_ text: String) -> (Substring, Substring)? {
        text.firstIndex(of: ":").map { (text[..<$0], text[$0...].dropFirst()) }
    }

    private static func isToken(_ text: Substring) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"\"(),/:;<=>?@[\\]{}".utf8.contains($0) }
    }
}

/// The values of curl's options as items and content.
enum CURLItem {
    /// `Name: value` and `Name;` as an item.
    static func fieldItem(_ text: String) throws(UsageError) -> String {
        if let colon = text.firstIndex(of: ":") {
            let value = text[colon...].dropFirst().trimmingCharacters(in: .whitespaces)
            if value.isEmpty {
                throw UsageError(
                    "\"\(text)\" takes a field away.",
                    hint: "Write \"\(text[..<colon]);\" for an empty one."
                )
            }
            // With the blank, "=" and "@" at the beginning of the value cannot join the colon.
            return "\(text[..<colon]): \(escaped(value))"
        }
        if text.hasSuffix(";"), text.count > 1 { return text }
        throw UsageError("\"\(text)\" is no header field.", hint: "Write 'Name: value'.")
    }

    /// `name=value` as an item of the query.
    static func queryItem(_ text: String) throws(UsageError) -> String {
        guard let equals = text.firstIndex(of: "="), equals > text.startIndex else {
            throw UsageError("\"\(text)\" is no query parameter.", hint: "Write name==value behind the URL.")
        }
        let name = text[..<equals].reduce(into: "") { $0 += ":=@;\\".contains($1) ? "\\\($1)" : "\($1)" }
        return "\(name)==\(escaped(String(text[equals...].dropFirst())))"
    }

    /// The value of an item, in which a backslash is more than itself.
    private static func escaped(_ value: String) -> String { value.replacing("\\", with: "\\\\") }
}
