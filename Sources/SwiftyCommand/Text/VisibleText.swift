// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Swifty

/// Text from the network, a file or a URL, made safe to print.
///
/// It cannot move the cursor, change the terminal's title or colours, end a line, or reverse the direction of the text
/// after it: control characters (C0, DEL and C1), line and paragraph separators and the marks of bidirectional text are
/// escaped. All lines that the command composes pass through here; content is printed unchanged.
enum VisibleText {
    /// The text as a part of one line.
    static func line(_ text: String) -> String { Redaction.oneLine(text) }

    /// Whether a character is invisible and acts on the text or the terminal around it.
    static func isHidden(_ scalar: Unicode.Scalar) -> Bool { Redaction.isControl(scalar) }
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

    static func role(ofStatus code: Int) -> Role {
        switch code {
        case ..<300: .success
        case ..<400: .redirection
        default: .failure
        }
    }
}
