// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// Text from the network, a file or a URL, made safe to print.
///
/// It cannot move the cursor, change the terminal's title or colours, end a line, or reverse the direction of the text
/// after it: control characters (C0, DEL and C1), line and paragraph separators and the marks of bidirectional text are
/// escaped. All lines that the command composes pass through here; content is printed unchanged.
enum VisibleText {
    /// The text as a part of one line.
    static func line(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isHidden) else { return text }
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if isHidden(scalar) {
                result.append(contentsOf: scalar.escaped(asASCII: true).unicodeScalars)
            } else {
                result.append(scalar)
            }
        }
        return String(result)
    }

    /// Whether a character is invisible and acts on the text or the terminal around it.
    static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x20...0x7E: false
        case 0..<0x20, 0x7F...0x9F: true
        case 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}

/// The colours of a terminal (ECMA-48 SGR), by the role of the text.
struct Style: Equatable {
    enum Role: String {
        case name = "34"
        case string = "32"
        case number = "36"
        case literal = "35"
        case fieldName = "96"
        case version = "90"
        case success = "1;32"
        case redirection = "1;33"
        case failure = "1;31"
        case method = "1;35"
    }

    /// The text in the colour of its role, or unchanged without a style.
    static func paint(_ text: String, _ role: Role, with style: Style?) -> String {
        style == nil ? text : "\u{1B}[\(role.rawValue)m\(text)\u{1B}[0m"
    }

    /// The role of a status code.
    static func role(ofStatus code: Int) -> Role {
        switch code {
        case ..<300: .success
        case ..<400: .redirection
        default: .failure
        }
    }
}
