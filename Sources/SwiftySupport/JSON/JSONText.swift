// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// JSON text (RFC 8259) as it is written: numbers keep their digits, and members their order and repetitions.
package struct JSONText: Sendable {
    package let bytes: ArraySlice<UInt8>

    /// Returns `nil` if the bytes are not JSON text.
    package init?(_ bytes: ArraySlice<UInt8>) {
        var tokens = JSONScanner(bytes)
        while tokens.next() != nil {}
        guard tokens.isComplete else { return nil }
        self.bytes = bytes
    }

    /// - Parameter bytes: A value of JSON text that was checked.
    init(valid bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
    }

    /// Returns `nil` if the bytes are not JSON text.
    package init?(_ bytes: some Sequence<UInt8>) {
        self.init(Array(bytes)[...])
    }
}

extension JSONText {
    /// The text with other white space, and the same tokens.
    ///
    /// - Parameters:
    ///   - indentation: The number of spaces for each level, where each member and element has a line; `nil` for one
    ///     line without white space.
    ///   - paint: Returns the text of a token in its colour; `nil` for no colours.
    package func formatted(
        indentation: Int?,
        paint: ((_ text: String, _ kind: JSONToken.Kind) -> String)? = nil
    ) -> [UInt8] {
        var writer = Writer(indentation: indentation)
        for token in JSONScanner(bytes) {
            writer.begin(token.kind)
            if let paint {
                writer.result += paint(String(decoding: bytes[token.range], as: UTF8.self), token.kind).utf8
            } else {
                writer.result += bytes[token.range]
            }
            writer.end(token.kind)
        }
        return writer.result
    }

    private struct Writer {
        let indentation: Int?
        var result: [UInt8] = []
        var depth = 0
        var previous: JSONToken.Kind?

        /// Writes the line break before a token.
        mutating func begin(_ kind: JSONToken.Kind) {
            switch kind {
            case .comma, .colon: break
            case .close:
                depth -= 1
                if previous != .open { breakLine() }
            case .open, .name, .string, .number, .literal:
                if previous == .open || previous == .comma { breakLine() }
            }
        }

        /// Writes the space after a token.
        mutating func end(_ kind: JSONToken.Kind) {
            if kind == .open { depth += 1 }
            if kind == .colon, indentation != nil { result.append(.space) }
            previous = kind
        }

        private mutating func breakLine() {
            guard let indentation else { return }
            result.append(.lineFeed)
            result += repeatElement(.space, count: indentation * depth)
        }
    }
}
