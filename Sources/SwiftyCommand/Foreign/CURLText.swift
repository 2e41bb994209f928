// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The values of curl's options as items and content.
enum CURLText {
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
