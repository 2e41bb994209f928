// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// One `ITEM` of the command line: a header field, a query parameter, or a part of the content.
///
/// | written as | meaning |
/// |---|---|
/// | `Name:value` | a header field |
/// | `Name;` | a header field with an empty value |
/// | `name==value` | a query parameter |
/// | `name=text` | a text field of the content |
/// | `name:=json` | a JSON field of the content |
/// | `name=@file` | a text field with the file's text |
/// | `name:=@file` | a JSON field with the file's JSON |
/// | `name@file` | a file to upload |
///
/// The first separator in the text counts, and the longest one at that position. A backslash escapes the character
/// after it: `a\:b=c` is a field with the name `a:b`.
enum RequestItem: Equatable {
    case header(name: String, value: String)
    case query(name: String, value: String)
    case text(name: String, value: String)
    case json(name: String, text: String)
    case textFile(name: String, path: String)
    case jsonFile(name: String, path: String)
    case upload(name: String, path: String)

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
        if name.isEmpty { throw UsageError("The item \"\(argument)\" has no name.") }
        if separator == .header, ["http", "https"].contains(name.lowercased()), value.hasPrefix("//") {
            throw UsageError("\"\(argument)\" is a second URL.", hint: "Each command sends one request.")
        }
        self = separator.item(name, value)
        if case .header(_, "") = self {
            throw UsageError("The header \"\(name)\" has no value.", hint: "Write \"\(name);\" for an empty one.")
        }
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

    fileprivate func item(_ name: String, _ value: String) -> RequestItem {
        switch self {
        case .jsonFile: .jsonFile(name: name, path: value)
        case .json: .json(name: name, text: value)
        case .textFile: .textFile(name: name, path: value)
        case .query: .query(name: name, value: value)
        case .text: .text(name: name, value: value)
        case .header: .header(name: name, value: value.drop { $0 == " " }.description)
        case .upload: .upload(name: name, path: value)
        }
    }
}

/// An argument in which backslashes escape the characters of separators.
private struct EscapedText {
    private let characters: [(character: Character, isEscaped: Bool)]

    init(_ argument: String) {
        var result: [(Character, Bool)] = []
        var isEscaped = false
        for character in argument {
            if isEscaped, !":=@;\\".contains(character) { result.append(("\\", true)) }
            if !isEscaped, character == "\\" {
                isEscaped = true
                continue
            }
            result.append((character, isEscaped))
            isEscaped = false
        }
        if isEscaped { result.append(("\\", true)) }
        characters = result
    }

    /// The name of `Name;`.
    var emptyFieldName: String? {
        guard characters.count > 1, let last = characters.last, last.character == ";", !last.isEscaped, split() == nil
        else { return nil }
        return text(characters.dropLast())
    }

    /// The first separator, with the text before and after it.
    func split() -> (ItemSeparator, String, String)? {
        for start in characters.indices {
            guard let separator = separator(at: start) else { continue }
            let end = start + separator.rawValue.count
            return (separator, text(characters[..<start]), text(characters[end...]))
        }
        return nil
    }

    private func separator(at start: Int) -> ItemSeparator? {
        ItemSeparator.allCases.first { separator in
            let end = start + separator.rawValue.count
            guard end <= characters.count else { return false }
            return zip(characters[start..<end], separator.rawValue).allSatisfy { !$0.isEscaped && $0.character == $1 }
        }
    }

    private func text(_ part: ArraySlice<(character: Character, isEscaped: Bool)>) -> String {
        String(part.map(\.character))
    }
}
