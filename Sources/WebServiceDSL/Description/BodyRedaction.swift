// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Hides the values of secret-looking members of bodies whose structure is known.
enum BodyRedaction {
    /// The text of a body with secrets replaced; unchanged if it is neither a form nor JSON.
    static func redact(_ text: String, contentType: String?) -> String {
        let type = contentType?.lowercased() ?? ""
        if type.hasPrefix("application/x-www-form-urlencoded") { return redactForm(text) }
        return type.contains("json") ? redactJSON(text) : text
    }

    private static func redactForm(_ text: String) -> String {
        text.split(separator: "&").map { pair in
            guard let equals = pair.firstIndex(of: "="), Redaction.isSecret(name: pair[..<equals]) else { return pair }
            return pair[...equals] + Redaction.placeholder
        }.joined(separator: "&")
    }

    /// Written anew only if there is something to hide.
    private static func redactJSON(_ text: String) -> String {
        let options: JSONSerialization.WritingOptions = [.sortedKeys, .withoutEscapingSlashes, .fragmentsAllowed]
        guard let value = try? JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed),
            let redacted = redact(value),
            let data = try? JSONSerialization.data(withJSONObject: redacted, options: options)
        else { return text }
        return String(decoding: data, as: UTF8.self)
    }

    /// The value with secrets replaced; `nil` if there are none.
    private static func redact(_ value: Any) -> Any? {
        if let array = value as? [Any] {
            let members = array.map(redact)
            return members.contains { $0 != nil } ? zip(array, members).map { $1 ?? $0 } : nil
        }
        guard var object = value as? [String: Any] else { return nil }
        var hasSecret = false
        for (key, member) in object {
            let redacted = Redaction.isSecret(name: key) ? Redaction.placeholder : redact(member)
            guard let redacted else { continue }
            object[key] = redacted
            hasSecret = true
        }
        return hasSecret ? object : nil
    }
}
