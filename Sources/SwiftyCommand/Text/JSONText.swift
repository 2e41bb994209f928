// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Swifty

/// Formats JSON text for a terminal: indented, coloured, without secrets.
struct JSONText {
    private let bytes: [UInt8]
    private let tokens: [(token: JSONScanner.Token, range: Range<Int>)]

    /// `nil` if the bytes are not JSON text.
    init?(_ bytes: some Sequence<UInt8>) {
        let bytes = Array(bytes)
        guard let tokens = JSONScanner.tokens(of: bytes) else { return nil }
        self.bytes = bytes
        self.tokens = tokens
    }

    /// The formatted text.
    ///
    /// - Parameters:
    ///   - isIndented: Whether each member has a line of its own; otherwise there is no white space.
    ///   - style: The colours; `nil` for none.
    ///   - hidesSecrets: Whether the values of members with secret-looking names are replaced.
    func formatted(isIndented: Bool = true, style: Style? = nil, hidesSecrets: Bool = false) -> String {
        var writer = Writer(isIndented: isIndented, style: style)
        var secretDepth: Int?
        var previous: JSONScanner.Token?
        for (token, range) in tokens {
            let text = String(decoding: bytes[range], as: UTF8.self)
            if let depth = secretDepth {
                // A secret that is an object or an array is skipped up to its end.
                secretDepth = Self.depth(depth, after: token)
            } else if previous == .colon, writer.hasSecretName, hidesSecrets {
                writer.write(.string, "\"\(Redaction.placeholder)\"", after: previous)
                secretDepth = Self.depth(0, after: token)
                previous = .string
            } else {
                writer.write(token, text, after: previous)
                previous = token
            }
        }
        return writer.text
    }

    /// The depth of the next token inside a value; `nil` after its end.
    private static func depth(_ depth: Int, after token: JSONScanner.Token) -> Int? {
        let depth =
            switch token {
            case .open: depth + 1
            case .close: depth - 1
            default: depth
            }
        return depth == 0 ? nil : depth
    }
}

extension JSONText {
    private struct Writer {
        let isIndented: Bool
        let style: Style?
        var text = ""
        var depth = 0
        var hasSecretName = false

        mutating func write(_ token: JSONScanner.Token, _ word: String, after previous: JSONScanner.Token?) {
            switch token {
            case .open:
                breakLine(after: previous)
                depth += 1
                text += word
            case .close:
                depth -= 1
                if case .open = previous {} else { newLine() }
                text += word
            case .comma: text += word
            case .colon: text += isIndented ? ": " : ":"
            case .name:
                hasSecretName = Redaction.isSecret(name: word.dropFirst().dropLast())
                breakLine(after: previous)
                text += Style.paint(word, .name, with: style)
            case .string: value(word, .string, previous)
            case .number: value(word, .number, previous)
            case .literal: value(word, .literal, previous)
            }
        }

        private mutating func value(_ word: String, _ role: Style.Role, _ previous: JSONScanner.Token?) {
            breakLine(after: previous)
            text += Style.paint(word, role, with: style)
        }

        /// Begins a new line before a member or an element.
        private mutating func breakLine(after previous: JSONScanner.Token?) {
            switch previous {
            case .open, .comma: newLine()
            default: break
            }
        }

        private mutating func newLine() {
            if isIndented { text += "\n" + String(repeating: " ", count: 4 * max(0, depth)) }
        }
    }
}
