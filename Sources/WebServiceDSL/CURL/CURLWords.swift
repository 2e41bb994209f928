// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The options of a curl command with their values, in order. A URL is the value of `--url`.
package struct CURLWords {
    package struct Element: Equatable {
        package let option: CURLOption
        /// The option as it was typed.
        package let word: String
        /// Empty if the option takes none.
        package let value: String

        package var text: String { option.takesValue ? "\(word) \(value)" : word }
    }

    package private(set) var elements: [Element] = []
    private var rest: ArraySlice<String>

    /// - Parameter words: The words after `curl`.
    /// - Throws: ``CURLError`` for an option that curl does not have, or one without its value.
    package init(_ words: some Sequence<String>) throws(CURLError) {
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
    package static func hasPattern(_ url: String) -> Bool {
        let isAddress = url.contains("://[") || url.hasPrefix("[")
        let path = url.drop { !"/{".contains($0) }
        return path.contains("{") || path.contains("[") && !isAddress
    }

    private mutating func take(_ word: String) throws(CURLError) {
        if word.hasPrefix("--") {
            try addOption(String(word.dropFirst(2)), as: word)
        } else if word.hasPrefix("-"), word.count > 1 {
            try takeLetters(word.dropFirst())
        } else {
            try addOption("url", as: "--url", value: word)
        }
    }

    /// Parses letters: `-sSL`, `-XPOST`, `-H 'A: b'`.
    private mutating func takeLetters(_ letters: Substring) throws(CURLError) {
        var letters = letters
        while let letter = letters.popFirst() {
            let hasValue = CURLOption.named(String(letter))?.takesValue == true && !letters.isEmpty
            try addOption(String(letter), as: "-\(letter)", value: hasValue ? String(letters) : nil)
            if hasValue { return }
        }
    }

    private mutating func addOption(_ name: String, as word: String, value attached: String? = nil) throws(CURLError) {
        guard let option = CURLOption.named(name) else {
            let name = word.prefix { $0 != "=" }
            throw CURLError(
                "The curl option \"\(word)\" is not known here.",
                reason: "the curl option \"\(name.prefix(40))\" is not known"
            )
        }
        guard let value = option.takesValue ? attached ?? rest.popFirst() : "" else {
            throw CURLError("The curl option \"\(word)\" has no value.")
        }
        elements.append(Element(option: option, word: word, value: value))
    }
}
