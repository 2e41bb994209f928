// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// Text in the language of manual pages, man(7).
enum Roff {
    /// A line of text that is printed as it is. Its first character is never one that begins a request.
    static func text(_ text: String) -> String {
        let line = text.unicodeScalars.map(escaped).joined()
        return line.hasPrefix(".") ? "\\&\(line)" : line
    }

    /// Text in bold type.
    static func bold(_ text: String) -> String { "\\fB\(Self.text(text))\\fR" }

    /// Text in italics, or underlined.
    static func italic(_ text: String) -> String { "\\fI\(Self.text(text))\\fR" }

    /// Without an escape, a hyphen, a quotation mark and the like may be printed as another character, and other
    /// characters than those of ASCII depend on the formatter.
    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\\": return "\\e"
        case "-": return "\\-"
        case "'": return "\\(aq"
        case "\"": return "\\(dq"
        case "`": return "\\(ga"
        case "^": return "\\(ha"
        case "~": return "\\(ti"
        default:
            if scalar.isASCII { return String(Character(scalar)) }
            let digits = String(scalar.value, radix: 16, uppercase: true)
            return "\\[u\(String(repeating: "0", count: max(0, 4 - digits.count)))\(digits)]"
        }
    }
}
