// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The words of a curl command: its options with their values, and its URLs, in order.
struct CURLWords {
    enum Element: Equatable {
        case url(String)
        /// An option as it was typed, and its value if it takes one.
        case option(CURLOption, word: String, value: String?)
    }

    private(set) var elements: [Element] = []
    private var rest: ArraySlice<String>

    /// - Parameter words: The words after `curl`.
    /// - Throws: ``UsageError`` for an option that curl does not have, or one without its value.
    init(_ words: some Sequence<String>) throws(UsageError) {
        rest = Array(words)[...]
        while let word = rest.popFirst() {
            if word == "--" {
                elements += rest.map(Element.url)
                rest = []
            } else {
                try take(word)
            }
        }
    }

    private mutating func take(_ word: String) throws(UsageError) {
        if word.hasPrefix("--") {
            try addOption(String(word.dropFirst(2)), as: word)
        } else if word.hasPrefix("-"), word.count > 1 {
            try takeLetters(word.dropFirst())
        } else {
            elements.append(.url(word))
        }
    }

    /// Parses letters: `-sSL`, `-XPOST`, `-H 'A: b'`.
    private mutating func takeLetters(_ letters: Substring) throws(UsageError) {
        var letters = letters
        while let letter = letters.popFirst() {
            if CURLOption.named(String(letter))?.takesValue == true, !letters.isEmpty {
                rest.insert(String(letters), at: rest.startIndex)
                letters = ""
            }
            try addOption(String(letter), as: "-\(letter)")
        }
    }

    private mutating func addOption(_ name: String, as word: String) throws(UsageError) {
        guard let option = CURLOption.named(name) else {
            throw UsageError("The curl option \"\(word)\" is not known here.")
        }
        let value = option.takesValue ? rest.popFirst() : nil
        if option.takesValue, value == nil { throw UsageError("The curl option \"\(word)\" has no value.") }
        elements.append(.option(option, word: word, value: value))
    }
}
