// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// One `ITEM` of the command line: a header field, a query parameter, or a part of the content.
///
/// | written as | meaning |
/// |---|---|
/// | `Name:value` | a header field |
/// | `Name:` | no header field of this name, not even the default one |
/// | `Name;` | a header field with an empty value |
/// | `name==value` | a query parameter |
/// | `name=text` | a field of the content, as text |
/// | `name:=json` | a JSON field of the content |
/// | `name=@file` | a field of the content, as the text of the file |
/// | `name:=@file` | a JSON field with the file's JSON |
/// | `name@file` | a file to upload |
///
/// The first separator in the text counts, and the longest one at that position. A backslash escapes the character
/// after it: `a\:b=c` is a field with the name `a:b`. In JSON, the name of a field is a ``FieldPath``.
enum RequestItem: Equatable {
    case header(name: String, value: String)
    case removal(name: String)
    case query(name: String, value: String)
    case text(name: FieldName, value: String)
    case json(name: FieldName, text: String)
    case textFile(name: FieldName, path: String)
    case jsonFile(name: FieldName, path: String)
    case upload(name: FieldName, path: String)

    /// Parses one item.
    ///
    /// - Throws: ``UsageError`` if there is no separator, or no name before it.
    init(_ argument: String) throws(UsageError) {
        let text = EscapedText(argument)
        if let name = text.emptyFieldName {
            self = .header(name: name, value: "")
            return
        }
        guard let (separator, name, value) = text.split() else {
            throw UsageError(
                "\"\(argument)\" is not an item.",
                hint: "Write Header:value, query==value, field=text, field:=json or field@file."
            )
        }
        if separator == .header, Self.isURL(name.text, value) {
            throw UsageError(
                secondURL: argument,
                hint: "Each command sends one request. A method comes before its URL."
            )
        }
        if name.text.isEmpty, !separator.mayHaveNoName {
            throw UsageError("The item \"\(argument)\" has no name.")
        }
        self = separator.item(name, value)
        if case .header(let name, "") = self { self = try Self.removal(of: name) }
    }
}

extension RequestItem {
    /// Whether the strings around a colon are those of a URL: its scheme, a host with a port, or a port of this
    /// machine.
    private static func isURL(_ name: String, _ value: String) -> Bool {
        if ["http", "https"].contains(name.lowercased()) { return value.hasPrefix("//") }
        guard name.isEmpty || name.contains(".") || name.lowercased() == "localhost" else { return false }
        let behindPort = value.drop { $0.isASCII && $0.isNumber }
        let hasPort = behindPort.startIndex > value.startIndex
        return (hasPort || name.isEmpty) && (behindPort.first.map { "/?".contains($0) } ?? hasPort)
    }

    /// The fields that a request cannot omit.
    private static let indispensable: Set<String> = ["host", "content-length", "transfer-encoding"]

    private static func removal(of name: String) throws(UsageError) -> RequestItem {
        if !indispensable.contains(name.lowercased()) { return .removal(name: name) }
        throw UsageError("The field \(name) cannot be left out.", hint: "Write \"\(name);\" for an empty one.")
    }
}

/// The separator between the name and the value of an item.
enum ItemSeparator: String, CaseIterable {
    case jsonFile = ":=@"
    case json = ":="
    case textFile = "=@"
    case query = "=="
    case text = "="
    case header = ":"
    case upload = "@"

    /// Whether the member of a JSON object may have the empty name: `=text`.
    fileprivate var mayHaveNoName: Bool {
        switch self {
        case .jsonFile, .json, .textFile, .text: true
        case .query, .header, .upload: false
        }
    }

    fileprivate func item(_ name: FieldName, _ value: String) -> RequestItem {
        switch self {
        case .jsonFile: .jsonFile(name: name, path: value)
        case .json: .json(name: name, text: value)
        case .textFile: .textFile(name: name, path: value)
        case .query: .query(name: name.text, value: value)
        case .text: .text(name: name, value: value)
        case .header: .header(name: name.text, value: value.drop { $0 == " " }.description)
        case .upload: .upload(name: name, path: value)
        }
    }
}

/// The name of a field of the content.
struct FieldName: Equatable {
    /// The name in a form, with its escapes resolved.
    let text: String
    /// The name as written in a ``FieldPath``: with the backslashes before brackets and backslashes.
    let path: String
}

/// An argument in which backslashes escape the characters of separators.
private struct EscapedText {
    private struct Part {
        let character: Character
        var isEscaped = false
        /// The character as written in a ``FieldPath``, which has its own escapes.
        var path: String { isEscaped && character == "\\" ? "\\\\" : String(character) }
    }

    private let parts: [Part]

    init(_ argument: String) {
        var parts: [Part] = []
        var isEscaped = false
        for character in argument {
            if !isEscaped, character == "\\" {
                isEscaped = true
                continue
            }
            let isSpecial = ":=@;\\".contains(character)
            if isEscaped, !isSpecial { parts.append(Part(character: "\\")) }
            parts.append(Part(character: character, isEscaped: isEscaped && isSpecial))
            isEscaped = false
        }
        if isEscaped { parts.append(Part(character: "\\")) }
        self.parts = parts
    }

    /// The name of `Name;`.
    var emptyFieldName: String? {
        guard parts.count > 1, let last = parts.last, last.character == ";", !last.isEscaped, split() == nil
        else { return nil }
        return text(parts.dropLast())
    }

    /// The first separator, with the name before and the text after it.
    func split() -> (ItemSeparator, FieldName, String)? {
        for start in parts.indices {
            guard let separator = separator(at: start) else { continue }
            let name = FieldName(text: text(parts[..<start]), path: parts[..<start].map(\.path).joined())
            return (separator, name, text(parts[(start + separator.rawValue.count)...]))
        }
        return nil
    }

    private func separator(at start: Int) -> ItemSeparator? {
        ItemSeparator.allCases.first { separator in
            let end = start + separator.rawValue.count
            guard end <= parts.count else { return false }
            return zip(parts[start..<end], separator.rawValue).allSatisfy { !$0.isEscaped && $0.character == $1 }
        }
    }

    private func text(_ parts: ArraySlice<Part>) -> String { String(parts.map(\.character)) }
}
