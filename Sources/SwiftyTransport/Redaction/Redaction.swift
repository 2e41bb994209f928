// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

/// Keeps secrets out of descriptions, errors and logs.
package enum Redaction {
    /// The text that replaces a secret.
    package static let placeholder = "REDACTED"

    /// Whether the value of a header field or query parameter of this name is hidden, if no service says otherwise.
    ///
    /// - Parameter name: The name, in any spelling, percent-encoded or not.
    package static func isSecret(name: some StringProtocol) -> Bool { SecretNames.standard.kind(of: name) != nil }

    /// An absolute or relative reference, such as a server sends, without credentials and secrets.
    package static func redact(reference: String) -> String { Redactor().reference(reference) }

    /// The part of a malformed URI that can be shown: no query and no fragment, and nothing at all if it has an `@`,
    /// which may follow credentials.
    package static func redact(malformed text: String) -> String {
        let start = text.prefix { $0 != "?" && $0 != "#" }
        return start.contains("@") ? placeholder : oneLine(String(start))
    }

    /// The text with every control character and mark of bidirectional text escaped, so that it is one line in a
    /// log, and read in the order in which it is written.
    package static func oneLine(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isControl) else { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            if isControl(scalar) {
                result += scalar.escaped(asASCII: true)
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// The text as one line to be read: control characters escaped, and words separated by single spaces.
    package static func line(_ text: String) -> String {
        oneLine(text).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// Whether a character is a control character, changes the direction of text (CVE-2021-42574), or ends a line.
    package static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x20...0x7E: false
        case 0..<0x20, 0x7F...0x9F: true
        case 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}

extension Redactor {
    /// Header fields on one line, without secrets.
    func describe(_ fields: HTTPFields) -> String {
        "[\(fields.map { "\($0.name.rawName): \(value($0.value, of: $0.name.rawName))" }.joined(separator: ", "))]"
    }
}
