// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension QueryEncoding.KeyStyle {
    /// The name of a property in this style.
    func text(of key: String) -> String {
        switch self {
        case .unchanged: key
        case .snakeCase: Self.snakeCase(key)
        case .custom(let text): text(key)
        }
    }

    /// The words of a name, in lower case and joined by `_`: `myURLProperty` becomes `my_url_property`.
    ///
    /// A word begins at a capital letter after a lower-case one, and at the last capital letter of several.
    private static func snakeCase(_ key: String) -> String {
        let characters = Array(key)
        var text = ""
        for (index, character) in characters.enumerated() {
            if character.isUppercase, index > 0, characters[index - 1] != "_" {
                let isAfterLower = !characters[index - 1].isUppercase
                let isBeforeLower = index + 1 < characters.count && characters[index + 1].isLowercase
                if isAfterLower || isBeforeLower { text.append("_") }
            }
            text += character.lowercased()
        }
        return text
    }
}
