// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// An error or a warning with its hint, as written to standard error.
///
/// Text from servers and URLs in it cannot control the terminal.
struct NoteText {
    private let message: String
    private let hint: String?

    init(_ message: String, hint: String?, program: String = "swifty") {
        self.message = Self.visible("\(program): \(message)")
        self.hint = hint.map(Self.visible)
    }

    /// One line, with the hint in parentheses: for files, pipes and the tools that read them.
    var line: String { hint.map { "\(message) (\($0))" } ?? message }

    /// Lines that fit a terminal, broken between words, with the hint on its own ones. What fits one line stays there.
    func lines(columns: Int) -> String {
        if line.count <= columns { return line }
        let hint = hint.map { "\n" + Self.wrapped("  \($0)", columns: columns) }
        return Self.wrapped(message, columns: columns) + (hint ?? "")
    }

    private static func visible(_ text: String) -> String { VisibleText.line(text.replacing("\n", with: " ")) }

    /// The text in lines, of which all but the first are indented. A word is never broken, so that it can be copied.
    private static func wrapped(_ text: String, columns: Int) -> String {
        var lines: [String] = []
        for word in text.split(separator: " ", omittingEmptySubsequences: false) {
            if let last = lines.last, last.count + 1 + word.count <= columns {
                lines[lines.count - 1] = "\(last) \(word)"
            } else {
                lines.append(lines.isEmpty ? String(word) : "  \(word)")
            }
        }
        return lines.joined(separator: "\n")
    }
}
