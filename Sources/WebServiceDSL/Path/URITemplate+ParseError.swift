// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension URITemplate {
    /// The first place where text is not a URI Template, and what is wrong there. It has no part of the text.
    public struct ParseError: Error, Sendable, Hashable, CustomStringConvertible {
        /// The kind of an error; the sections are those of RFC 6570.
        public enum Kind: Sendable, Hashable {
            /// A `{` has no `}`, or another `{` is before it (§2.2).
            case unclosedExpression
            /// A `}` has no `{` (§2.1).
            case unopenedExpression
            /// A literal has a character that must be written as a percent-encoded triplet (§2.1).
            case forbiddenCharacter
            /// Two hexadecimal digits do not follow a `%` (§2.1, §2.3).
            case incompleteTriplet
            /// The operator is one of `=`, `,`, `!`, `@` and `|`, which have no meaning yet (§2.2).
            case reservedOperator
            /// The first character after the `{` is neither an operator nor part of a name (§2.2).
            case unknownOperator
            /// A variable has no name (§2.3).
            case missingName
            /// A name has a character that is not allowed at this place (§2.3).
            case invalidName
            /// A prefix length is not a number from 1 to 9999 without leading zeros (§2.4.1).
            case invalidLength
            /// A variable has more after its modifier: a second one, or other characters (§2.4).
            case extraModifier
        }

        /// The kind of the error.
        public let kind: Kind
        /// The number of bytes of the text, in UTF-8, before the place of the error.
        public let offset: Int

        init(_ kind: Kind, at offset: Int) {
            self.kind = kind
            self.offset = offset
        }

        /// The reason in words.
        public var reason: String { kind.reason }

        /// The place and the reason, in one line.
        public var description: String { "byte \(offset) of the URI Template: \(reason)" }
    }
}

extension URITemplate.ParseError.Kind {
    fileprivate var reason: String {
        switch self {
        case .unclosedExpression: "the opening brace has no closing brace"
        case .unopenedExpression: "the closing brace has no opening brace; write %7D for the character"
        case .forbiddenCharacter: "the character is not allowed outside of braces; write it percent-encoded"
        case .incompleteTriplet: "two hexadecimal digits must follow the percent sign; write %25 for the character"
        case .reservedOperator: "the operators = , ! @ | are reserved for later versions of RFC 6570"
        case .unknownOperator: "the operator is not one of + # . / ; ? &"
        case .missingName: "a variable has no name"
        case .invalidName: "a name has only letters, digits, underscores, percent-encoded bytes, and dots between them"
        case .invalidLength: "the length of a prefix is not a number from 1 to 9999"
        case .extraModifier: "a variable has only one modifier, an asterisk or a colon with a length, at its end"
        }
    }
}
