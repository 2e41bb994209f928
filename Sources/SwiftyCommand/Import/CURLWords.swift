// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The options of a curl command with their values, in order. A URL is the value of `--url`.
struct CURLWords {
    struct Element {
        let option: CURLOption
        /// The option as it was typed.
        let word: String
        /// Empty if the option takes none.
        let value: String

        var text: String { option.takesValue ? "\(word) \(value)" : word }
    }

    private(set) var elements: [Element] = []
    private var rest: ArraySlice<String>

    /// - Parameter words: The words after `curl`.
    /// - Throws: ``UsageError`` for an option that curl does not have, or one without its value.
    init(_ words: some Sequence<String>) throws(UsageError) {
        rest = Array(words)[...]
        while let word = rest.popFirst() {
            if word == "--" {
                for url in rest { try addOption("url", as: "--url", value: url) }
                rest = []
            } else {
                try take(word)
            }
        }
    }

    /// Whether curl would expand `{…}` or `[…]` in the URL.
    static func hasPattern(_ url: String) -> Bool {
        let isAddress = url.contains("://[") || url.hasPrefix("[")
        let path = url.drop { !"/{".contains($0) }
        return path.contains("{") || path.contains("[") && !isAddress
    }

    private mutating func take(_ word: String) throws(UsageError) {
        if word.hasPrefix("--") {
            try addOption(String(word.dropFirst(2)), as: word)
        } else if word.hasPrefix("-"), word.count > 1 {
            try takeLetters(word.dropFirst())
        } else {
            try addOption("url", as: "--url", value: word)
        }
    }

    /// Parses letters: `-sSL`, `-XPOST`, `-H 'A: b'`.
    private mutating func takeLetters(_ letters: Substring) throws(UsageError) {
        var letters = letters
        while let letter = letters.popFirst() {
            let hasValue = CURLOption.named(String(letter))?.takesValue == true && !letters.isEmpty
            try addOption(String(letter), as: "-\(letter)", value: hasValue ? String(letters) : nil)
            if hasValue { return }
        }
    }

    private mutating func addOption(_ name: String, as word: String, value attached: String? = nil) throws(UsageError) {
        guard let option = CURLOption.named(name) else {
            throw UsageError("The curl option \"\(word)\" is not known here.")
        }
        guard let value = option.takesValue ? attached ?? rest.popFirst() : "" else {
            throw UsageError("The curl option \"\(word)\" has no value.")
        }
        elements.append(Element(option: option, word: word, value: value))
    }
}
