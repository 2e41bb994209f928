// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// Splits a shell command into words: quotes, backslashes, `$'…'` and line continuations, but no expansions.
///
/// It reads scalars and not characters, as a shell does: a combining mark would hide the quote before it.
package struct ShellWords {
    /// The words, with unexpanded references such as `$TOKEN`, and with ``UndecodedBytes``.
    package private(set) var words: [String] = []
    /// What the shell would have expanded.
    package private(set) var expansions: [String] = []
    private var rest: Substring.UnicodeScalarView
    private var word: String.UnicodeScalarView?

    /// - Throws: ``CURLError`` for a quote that is not closed.
    package init(_ command: String) throws(CURLError) {
        if UndecodedBytes.areIn(command) { throw CURLError("The command has characters for private use.") }
        rest = command[...].unicodeScalars
        while let scalar = rest.popFirst() { try take(scalar) }
        endWord()
    }

    private mutating func take(_ scalar: Unicode.Scalar) throws(CURLError) {
        switch scalar {
        case "'": append(try quoted(until: "'"))
        case "\"": try takeDoubleQuoted()
        case "$" where rest.first == "'":
            rest.removeFirst()
            try takeEscapedQuoted()
        case "\\": takeEscaped()
        case _ where scalar.properties.isWhitespace: endWord()
        default:
            noteExpansion(scalar)
            append(scalar)
        }
    }

    /// Records an expansion, which begins with `$` or a backtick outside of single quotes: its value is not known here.
    private mutating func noteExpansion(_ scalar: Unicode.Scalar) {
        guard scalar == "$" || scalar == "`" else { return }
        let next = rest.prefix(Self.longestName)
        let name = String(next.prefix { $0.properties.isAlphabetic || $0.properties.numericType != nil || $0 == "_" })
        switch (scalar, rest.first) {
        case ("`", _): expansions.append("`…`")
        case ("$", "("): expansions.append("$(…)")
        case ("$", "{"): expansions.append("$\(String(next.prefix { $0 != "}" && $0 != "\"" }))}")
        case ("$", _) where name.first?.isNumber == false: expansions.append("$\(name)")
        default: break
        }
    }

    /// The number of scalars of an expansion that are recorded.
    private static let longestName = 100

    private mutating func append(_ scalar: Unicode.Scalar) {
        if word == nil { word = String.UnicodeScalarView() }
        word?.append(scalar)
    }

    private mutating func append(_ text: some Sequence<Unicode.Scalar>) {
        if word == nil { word = String.UnicodeScalarView() }
        word?.append(contentsOf: text)
    }

    private mutating func endWord() {
        if let word { words.append(String(word)) }
        word = nil
    }

    /// A backslash before the end of a line joins the lines.
    private mutating func takeEscaped() {
        if !takeLineEnd(), let scalar = rest.popFirst() { append(scalar) }
    }

    /// Takes the end of a line. Returns `false` if there is none.
    private mutating func takeLineEnd() -> Bool {
        let end = rest.prefix(2)
        guard end.first == "\n" || end.elementsEqual("\r\n".unicodeScalars) else { return false }
        rest = rest.dropFirst(end.first == "\n" ? 1 : 2)
        return true
    }

    private mutating func quoted(until end: Unicode.Scalar) throws(CURLError) -> Substring.UnicodeScalarView {
        guard let index = rest.firstIndex(of: end) else { throw Self.unclosed }
        defer { rest = rest[rest.index(after: index)...] }
        return rest[..<index]
    }

    private mutating func takeDoubleQuoted() throws(CURLError) {
        append("".unicodeScalars)
        while let scalar = rest.popFirst() {
            switch scalar {
            case "\"": return
            case "\\" where takeLineEnd(): continue
            case "\\":
                guard let next = rest.popFirst() else { throw Self.unclosed }
                if !"\"\\$`".unicodeScalars.contains(next) { append("\\") }
                append(next)
            default:
                noteExpansion(scalar)
                append(scalar)
            }
        }
        throw Self.unclosed
    }

    private static let unclosed = CURLError("A quote in the command is not closed.")
}

extension ShellWords {
    private static let escapes: [Unicode.Scalar: UInt8] = [
        "n": 0xA, "r": 0xD, "t": 0x9, "\\": 0x5C, "'": 0x27, "\"": 0x22, "?": 0x3F, "a": 0x7, "b": 0x8, "e": 0x1B,
        "E": 0x1B, "f": 0xC, "v": 0xB,
    ]

    /// ANSI-C quoting, as browsers write it in "Copy as cURL".
    private mutating func takeEscapedQuoted() throws(CURLError) {
        var bytes: [UInt8] = []
        while let scalar = rest.popFirst() {
            switch scalar {
            case "'": return append(UndecodedBytes.text(of: bytes).unicodeScalars)
            case "\\":
                guard let kind = rest.popFirst() else { throw Self.unclosed }
                bytes += escaped(kind)
            default: bytes += String(scalar).utf8
            }
        }
        throw Self.unclosed
    }

    private mutating func escaped(_ kind: Unicode.Scalar) -> [UInt8] {
        switch kind {
        case "x": return number(digits: 2).map { [UInt8(truncatingIfNeeded: $0)] } ?? Array("\\x".utf8)
        case "u", "U": return unicode(digits: kind == "u" ? 4 : 8) ?? Array("\\\(kind)".utf8)
        case "0"..."7":
            let digits = [kind] + rest.prefix(2).prefix { ("0"..."7").contains($0) }
            rest = rest.dropFirst(digits.count - 1)
            return [digits.reduce(0) { $0 << 3 | UInt8(truncatingIfNeeded: $1.value & 7) }]
        default: return Self.escapes[kind].map { [$0] } ?? Array("\\\(kind)".utf8)
        }
    }

    /// The character with a number; two numbers for one that UTF-16 writes with two, as some browsers do.
    private mutating func unicode(digits: Int) -> [UInt8]? {
        guard var value = number(digits: digits) else { return nil }
        if (0xD800..<0xDC00).contains(value), rest.starts(with: "\\u".unicodeScalars) {
            rest = rest.dropFirst(2)
            let low = number(digits: 4) ?? 0
            if (0xDC00..<0xE000).contains(low) { value = 0x10000 + (value - 0xD800) << 10 + (low - 0xDC00) }
        }
        return Array(String(Unicode.Scalar(value) ?? "\u{FFFD}").utf8)
    }

    private mutating func number(digits: Int) -> UInt32? {
        let text = rest.prefix(digits).prefix { $0.properties.isASCIIHexDigit }
        rest = rest.dropFirst(text.count)
        return UInt32(String(text), radix: 16)
    }
}
