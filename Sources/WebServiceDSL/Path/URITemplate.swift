// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// A URI Template (RFC 6570, level 4): `/repos/{owner}/{repo}/issues{?state,labels*}`.
///
/// Many APIs send their links as templates. Expansion replaces each expression in braces by the values of its
/// variables, and gives a URI reference:
///
///     let template = try URITemplate("/search{?q,page}")
///     let link = try template.expand(["q": "red & blue", "page": 2])  // /search?q=red%20%26%20blue&page=2
///
/// The operator after the brace decides how values are written, shown for `["x": "a/b", "y": ["1", "2"]]`:
///
/// | expression | expansion |
/// |---|---|
/// | `{x,y}` | `a%2Fb,1,2` |
/// | `{+x,y}`, which keeps reserved characters and percent-encoded triplets | `a/b,1,2` |
/// | `{#x,y}`, which does so in a fragment | `#a/b,1,2` |
/// | `{.x,y}` | `.a%2Fb.1,2` |
/// | `{/x,y*}` | `/a%2Fb/1/2` |
/// | `{;x,y}` | `;x=a%2Fb;y=1,2` |
/// | `{?x,y*}` | `?x=a%2Fb&y=1&y=2` |
/// | `{&x,y}` | `&x=a%2Fb&y=1,2` |
///
/// After a name, `:3` limits text to its first three characters, and `*` writes each element of a list and each pair
/// separately.
///
/// The expansion is not checked further. A value under `+` can add any part of a URI: a query, or at the beginning
/// another host. Under the other operators each reserved character is percent-encoded or in the fragment, but a value
/// can still make a segment `..`, `.` or empty.
public struct URITemplate: Sendable, Hashable {
    /// The literals and expressions, in their order.
    let parts: [Part]

    /// Parses a template.
    ///
    /// - Throws: A ``ParseError`` for text that the grammar of RFC 6570 §2 does not allow.
    public init(_ text: String) throws(ParseError) {
        parts = try Parser(text).parts()
    }

    /// The names of the variables, in the order in which they first occur, each once.
    public var variableNames: [String] {
        var names = Set<String>()
        return parts.flatMap(\.variables).map(\.name).filter { names.insert($0).inserted }
    }
}

extension URITemplate: CustomStringConvertible {
    /// The text of the template, in which characters that a URI does not allow are percent-encoded.
    public var description: String { parts.map(\.description).joined() }
}

extension URITemplate {
    /// A literal or an expression.
    enum Part: Sendable, Hashable, CustomStringConvertible {
        /// Characters outside of braces, percent-encoded as the URI will have them (RFC 6570 §3.1).
        case literal(String)
        case expression(Expression)

        var variables: [Variable] {
            switch self {
            case .literal: []
            case .expression(let expression): expression.variables
            }
        }

        var description: String {
            switch self {
            case .literal(let text): text
            case .expression(let expression): expression.description
            }
        }
    }

    /// An operator and its variables (RFC 6570 §2.2).
    struct Expression: Sendable, Hashable, CustomStringConvertible {
        let type: ExpressionType
        let variables: [Variable]

        var description: String { "{\(type.rawValue)\(variables.map(\.description).joined(separator: ","))}" }
    }

    /// A name and its modifier (RFC 6570 §2.3).
    struct Variable: Sendable, Hashable, CustomStringConvertible {
        let name: String
        let modifier: Modifier?

        var description: String {
            switch modifier {
            case .prefix(let length): "\(name):\(length)"
            case .explode: "\(name)*"
            case nil: name
            }
        }
    }

    /// A modifier of a variable (RFC 6570 §2.4).
    enum Modifier: Sendable, Hashable {
        /// The first characters of the value only: `:` and their number, 1...9999.
        case prefix(Int)
        /// Each element of a list and each pair separately: `*`.
        case explode
    }
}
