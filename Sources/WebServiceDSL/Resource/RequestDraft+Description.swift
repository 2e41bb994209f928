// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension RequestDraft: CustomStringConvertible, CustomReflectable {
    /// One line without secrets: name, method, URL and tags.
    public var description: String {
        var text = name.map { "\($0): " } ?? ""
        text += summary.description
        if !tags.isEmpty { text += " [\(tags.sorted().joined(separator: ", "))]" }
        if let creationError { text += " (cannot be loaded: \(redactor.text(creationError.reason)))" }
        return Redaction.line(text)
    }

    /// The description alone, so that `dump` shows no secrets either.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension RequestDraft {
    /// Keeps the secrets of the request out of what is printed.
    package var redactor: Redactor { Redactor(secrets) }
}
