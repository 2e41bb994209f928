// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// Splits a shell command into words: quotes, backslashes, `$'…'` and line continuations, but no expansions.
struct ShellWords {
    /// The words, with unexpanded references such as `$TOKEN`.
    private(set) var words: [String] = []
    /// What the shell would have expanded.
    private(set) var expansions: [String] = []
    private var rest: Substring
    private var word: String?

    /// - Throws: ``UsageError`` for a quote that is not closed.
    init(_ command: String) throws(UsageError) {
        rest = command[...]
        while let character = rest.popFirst() { try take(character) }
        endWord()
    }

    private mutating func take(_ character: Character) throws(UsageError) {
        switch character {
        case "'": append(try quoted(until: "'"))
        case "\"": try takeDoubleQuoted()
        case "$" where rest.first == "'":
            rest.removeFirst()
            try takeEscapedQuoted()
        case "\\": takeEscaped()
        case _ where character.isWhitespace: endWord()
        default:
            noteExpansion(character)
            append(String(character))
        }
    }

    /// Records an expansion, which begins with `$` or a backtick outside of single quotes: its value is not known here.
    private mutating func noteExpansion(_ character: Character) {
        guard character == "$" || character == "`" else { return }
        let name = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
        switch (character, rest.first) {
        case ("`", _): expansions.append("`…`")
        case ("$", "("): expansions.append("$(…)")
        case ("$", "{"): expansions.append("$\(rest.prefix { $0 != "}" && $0 != "\"" })}")
        case ("$", _) where name.first?.isNumber == false: expansions.append("$\(name)")
        default: break
        }
    }

    private mutating func append(_ text: String) {
        word = (word ?? "") + text
    }

    private mutating func endWord() {
        if let word { words.append(word) }
        word = nil
    }

    /// A backslash before the end of a line joins the lines.
    private mutating func takeEscaped() {
        guard let character = rest.popFirst() else { return }
        if character != "\n", character != "\r\n" { append(String(character)) }
    }

    private mutating func quoted(until end: Character) throws(UsageError) -> String {
        guard let index = rest.firstIndex(of: end) else { throw Self.unclosed }
        defer { rest = rest[rest.index(after: index)...] }
        return String(rest[..<index])
    }

    private mutating func takeDoubleQuoted() throws(UsageError) {
        append("")
        while let character = rest.popFirst() {
            switch character {
            case "\"": return
            case "\\":
                guard let next = rest.popFirst() else { throw Self.unclosed }
                if next == "\n" { continue }
                append("\"\\$`".contains(next) ? String(next) : "\\\(next)")
            default:
                noteExpansion(character)
                append(String(character))
            }
        }
        throw Self.unclosed
    }

    private static let unclosed = UsageError("A quote in the command is not closed.")
}

extension ShellWords {
    private static let escapes: [Character: String] = [
        "n": "\n", "r": "\r", "t": "\t", "\\": "\\", "'": "'", "\"": "\"", "a": "\u{7}", "b": "\u{8}", "e": "\u{1B}",
        "f": "\u{C}", "v": "\u{B}",
    ]

    /// ANSI-C quoting, as browsers write it in "Copy as cURL".
    private mutating func takeEscapedQuoted() throws(UsageError) {
        var bytes: [UInt8] = []
        while let character = rest.popFirst() {
            switch character {
            case "'": return append(String(decoding: bytes, as: UTF8.self))
            case "\\":
                guard let kind = rest.popFirst() else { throw Self.unclosed }
                bytes += escaped(kind)
            default: bytes += Array(String(character).utf8)
            }
        }
        throw Self.unclosed
    }

    private mutating func escaped(_ kind: Character) -> [UInt8] {
        switch kind {
        case "x": number(digits: 2).map { [UInt8(truncatingIfNeeded: $0)] } ?? []
        case "u": number(digits: 4).flatMap(UnicodeScalar.init).map { Array(String($0).utf8) } ?? []
        default: Array((Self.escapes[kind] ?? "\\\(kind)").utf8)
        }
    }

    private mutating func number(digits: Int) -> UInt32? {
        let text = rest.prefix(digits).prefix { $0.isHexDigit }
        rest = rest.dropFirst(text.count)
        return UInt32(text, radix: 16)
    }
}
