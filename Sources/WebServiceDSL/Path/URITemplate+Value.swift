// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension URITemplate {
    /// The value of a variable (RFC 6570 §2.3), not percent-encoded.
    ///
    /// Literals of strings, integers, `Bool`, arrays and dictionaries are values:
    ///
    ///     ["q": "red", "page": 2, "draft": false, "labels": ["bug", "open"], "sort": ["by": "date", "order": "up"]]
    ///
    /// A variable without a value, an empty list, and a list of no pairs are undefined: the expansion omits them.
    public enum Value: Sendable, Hashable {
        /// Text, which may be empty.
        case text(String)
        /// A list, in its order.
        case list([String])
        /// Pairs of a name and a value, in their order. RFC 6570 calls them an associative array.
        case pairs([Pair])
    }

    /// A name with its value, in ``Value/pairs(_:)``.
    ///
    /// Both are percent-encoded alike, so that data can never add a parameter. RFC 6570 §3.2.1 would keep the reserved
    /// characters of a name under `;`, `?` and `&`.
    public struct Pair: Sendable, Hashable {
        /// The name, not percent-encoded.
        public var name: String
        /// The value, not percent-encoded.
        public var value: String

        /// Makes a pair.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }
}

extension URITemplate.Value {
    /// Whether the expansion contains the value (RFC 6570 §2.3).
    var isDefined: Bool {
        switch self {
        case .text: true
        case .list(let members): !members.isEmpty
        case .pairs(let pairs): !pairs.isEmpty
        }
    }
}

extension URITemplate.Value: ExpressibleByStringInterpolation {
    /// Makes text.
    public init(stringLiteral value: String) {
        self = .text(value)
    }
}

extension URITemplate.Value: ExpressibleByIntegerLiteral {
    /// Makes text of decimal digits.
    public init(integerLiteral value: Int) {
        self = .text(String(value))
    }
}

extension URITemplate.Value: ExpressibleByBooleanLiteral {
    /// Makes the text `true` or `false`.
    public init(booleanLiteral value: Bool) {
        self = .text(String(value))
    }
}

extension URITemplate.Value: ExpressibleByArrayLiteral {
    /// Makes a list.
    public init(arrayLiteral elements: String...) {
        self = .list(elements)
    }
}

extension URITemplate.Value: ExpressibleByDictionaryLiteral {
    /// Makes pairs in the order in which they are written. A name may occur more than once.
    public init(dictionaryLiteral elements: (String, String)...) {
        self = .pairs(elements.map { URITemplate.Pair(name: $0, value: $1) })
    }
}
