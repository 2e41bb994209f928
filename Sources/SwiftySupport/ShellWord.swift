// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

package enum ShellWord {
    /// Quotes a word for a POSIX shell: inside single quotes only the single quote is special.
    package static func quoted(_ word: String) -> String {
        "'" + word.replacingScalars(["'": "'\\''"]) + "'"
    }
}

extension String {
    /// Replaces scalars, and not characters: a combining scalar would hide the one before it.
    package func replacingScalars(_ replacements: [Unicode.Scalar: String]) -> String {
        var result = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            if let text = replacements[scalar] {
                result.append(contentsOf: text.unicodeScalars)
            } else {
                result.append(scalar)
            }
        }
        return String(result)
    }
}
