// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension NetworkResource: CustomStringConvertible, CustomReflectable {
    /// One line without secrets: name, method, URL and tags.
    public var description: String { draft.description }

    /// Nothing beyond the description, so that `dump` shows no secrets either.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension TypedResource: CustomStringConvertible {
    /// One line without secrets: name, method, URL, tags and the type of the value.
    public var description: String { "\(draft.description) as \(Value.self)" }
}

extension RequestDraft: CustomStringConvertible, CustomReflectable {
    /// One line without secrets: name, method, URL and tags.
    public var description: String {
        var text = name.map { "\($0): " } ?? ""
        text += summary.description
        if !tags.isEmpty { text += " [\(tags.sorted().joined(separator: ", "))]" }
        if let creationError { text += " (cannot be loaded: \(creationError.reason))" }
        return Redaction.line(text)
    }

    /// Nothing beyond the description, so that `dump` shows no secrets either.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
