// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#if Configuration
/// A value in the form in which a provider has it, as text.
struct RawValue: Sendable, Hashable {
    /// The form in which a setting is asked for first, since the providers of a file do not convert between them.
    enum Shape: Sendable {
        case text
        case boolean
        case list
    }

    /// The elements of a list; one element for anything else.
    let parts: [String]
    /// Whether the provider has a list.
    let isList: Bool

    init(_ text: String) {
        parts = [text]
        isList = false
    }

    /// Makes a list, without its empty elements: a provider that splits text makes one of them from empty text.
    init(list: [String]) {
        parts = list.filter { !$0.isEmpty }
        isList = true
    }

    /// The value as text, for messages.
    var text: String { parts.joined(separator: ", ") }
    /// Whether the value removes a setting that may be missing.
    var isNone: Bool { parts == ["none"] }
}

/// The reason why a value cannot be used.
enum WrongValue: Error, Hashable {
    /// The predicate of a sentence whose subject is the value.
    case value(String)
    /// The predicate of a sentence whose subject is the key.
    case key(String)
    /// The setting has no effect without that of another key.
    case needs(String)

    init(not expectation: String) {
        self = .value("is not \(expectation)")
    }

    /// The reason for a setting whose key, and those that it names, have a prefix.
    func below(_ prefix: String) -> WrongValue {
        if case .needs(let key) = self { .needs(prefix.appending(key: key)) } else { self }
    }
}

extension String {
    /// The key below this one, which may be empty.
    func appending(key: String) -> String { isEmpty ? key : "\(self).\(key)" }
}

extension Substring {
    /// The text without white space around it.
    var trimmed: String {
        let start = drop { $0.isWhitespace }
        return String(start.reversed().drop { $0.isWhitespace }.reversed())
    }
}
#endif
