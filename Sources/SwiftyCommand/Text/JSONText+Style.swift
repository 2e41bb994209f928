// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

extension JSONText {
    /// The text for a terminal.
    ///
    /// - Parameters:
    ///   - isIndented: Whether each member is on a separate line; otherwise there is no white space.
    ///   - style: The colours; `nil` for none.
    func formatted(isIndented: Bool = true, style: Style? = nil) -> String {
        let indentation = isIndented ? 4 : nil
        guard let style else { return String(decoding: formatted(indentation: indentation), as: UTF8.self) }
        let bytes = formatted(indentation: indentation) { token, kind in
            Style.role(of: kind).map { Style.paint(token, $0, with: style) } ?? token
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension Style {
    /// The role of a token of JSON; `nil` for punctuation.
    fileprivate static func role(of kind: JSONToken.Kind) -> Role? {
        switch kind {
        case .name: .name
        case .string: .string
        case .number: .number
        case .literal: .literal
        case .open, .close, .comma, .colon: nil
        }
    }
}
