// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The path of a value in a JSON document (RFC 6901), such as `/authors/0/name`.
///
/// Each token is the name of a member or the index of an array's element. The token `-` is the place after the last
/// element (RFC 6901 §4). In the text form, `~0` stands for `~` and `~1` for `/`:
///
///     let path: JSONPointer = "/authors/0/name"
///     JSONPointer(["media/type"])                    // /media~1type
///     JSONPointer.root.appending("m~n")              // /m~0n
///
/// A string literal that is not a pointer is an error when the pointer is encoded: ``ValidationError`` is the
/// underlying error of an `EncodingError`. Two pointers are equal if their tokens are equal as `String`s.
public struct JSONPointer: Sendable, Hashable {
    /// A literal that is not a pointer.
    private struct InvalidLiteral: Hashable {
        let text: String
        let error: ValidationError
    }

    /// The tokens, without `~0` and `~1`. There is none in the pointer of the whole document, nor in one that was made
    /// of an invalid literal.
    public let tokens: [String]
    private let invalidLiteral: InvalidLiteral?

    /// The pointer of the whole document, whose text is empty.
    public static let root = JSONPointer([])

    /// Makes a pointer of tokens, in which `~` and `/` have no special meaning.
    public init(_ tokens: [String]) {
        self.tokens = tokens
        invalidLiteral = nil
    }

    private init(_ invalidLiteral: InvalidLiteral) {
        tokens = []
        self.invalidLiteral = invalidLiteral
    }

    /// The pointer of a member of this value. In `token`, `~` and `/` have no special meaning; `-` is the place after
    /// the last element of an array.
    public func appending(_ token: String) -> JSONPointer {
        invalidLiteral == nil ? JSONPointer(tokens + [token]) : self
    }

    /// The pointer of an element of this array, whose first one has the index 0.
    public func appending(_ index: Int) -> JSONPointer {
        appending(String(index))
    }

    /// The tokens of a valid pointer.
    ///
    /// - Throws: ``ValidationError`` if the pointer was made of an invalid literal.
    func validTokens() throws(ValidationError) -> [String] {
        if let invalidLiteral { throw invalidLiteral.error }
        return tokens
    }

    /// Whether the pointer leads to a value inside of which the value of the other one is.
    func isProperPrefix(of other: JSONPointer) -> Bool {
        tokens.count < other.tokens.count && other.tokens.starts(with: tokens)
    }
}

extension JSONPointer: ExpressibleByStringLiteral {
    /// Makes a pointer of a literal in the form of RFC 6901 §3; an invalid one is an error when it is encoded.
    public init(stringLiteral value: String) {
        do throws(ValidationError) {
            try self.init(parsing: value)
        } catch {
            self.init(InvalidLiteral(text: value, error: error))
        }
    }
}

extension JSONPointer: CustomStringConvertible {
    /// The text form (RFC 6901 §3); an invalid literal as it was written.
    public var description: String {
        invalidLiteral?.text ?? tokens.map { "/" + Self.escaped($0) }.joined()
    }
}
