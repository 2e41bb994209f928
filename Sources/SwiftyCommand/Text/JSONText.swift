// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// Formats JSON text for a terminal: indented and coloured.
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
    ///   - isIndented: Whether each member is on a separate line; otherwise there is no white space.
    ///   - style: The colours; `nil` for none.
    func formatted(isIndented: Bool = true, style: Style? = nil) -> String {
        var writer = Writer(isIndented: isIndented, style: style)
        var previous: JSONScanner.Token?
        for (token, range) in tokens {
            writer.write(token, String(decoding: bytes[range], as: UTF8.self), after: previous)
            previous = token
        }
        return writer.text
    }
}

extension JSONText {
    private struct Writer {
        let isIndented: Bool
        let style: Style?
        var text = ""
        var depth = 0

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
                breakLine(after: previous)
                text += Style.paint(word, .name, with: style)
            case .string: value(word, role: .string, previous: previous)
            case .number: value(word, role: .number, previous: previous)
            case .literal: value(word, role: .literal, previous: previous)
            }
        }

        private mutating func value(_ word: String, role: Style.Role, previous: JSONScanner.Token?) {
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
