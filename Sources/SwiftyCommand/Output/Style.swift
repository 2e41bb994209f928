// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The colours of a terminal (ECMA-48 SGR), by the role of what is shown.
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

    /// The text in the colour of its role, or as it is without a style.
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
