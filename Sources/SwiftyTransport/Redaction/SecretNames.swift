// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The names of secrets: header fields, query parameters, fields of forms, members of JSON, elements of XML and
/// variables of paths whose values are hidden in everything that is printed or recorded.
///
/// Swifty knows the usual names (`Authorization`, `access_token`, `password`, `X-Api-Key`; the list is in
/// Docs/Secrets.md). A service adds its own, and exempts those that only look like secrets:
///
///     final class Shop: WebService {
///         static let secretNames = SecretNames(["X-Customer", "voucher"], plain: ["session_color"])
///     }
///
/// Names are compared without case, `-`, `_` and `.`, so that `api-key` is also `apiKey`.
public struct SecretNames: Sendable, Hashable {
    /// The names in the form in which they are compared.
    private var added: Set<String>
    private var plain: Set<String>

    /// Makes a list from names that Swifty does not know.
    ///
    /// - Parameters:
    ///   - names: Names whose values are secrets.
    ///   - plain: Names whose values are not secrets, although they look like it. They take precedence over `names`.
    public init(_ names: Set<String> = [], plain: Set<String> = []) {
        added = Set(names.map { NameWords($0).squashed })
        self.plain = Set(plain.map { NameWords($0).squashed })
    }

    /// The names that Swifty knows, and no others.
    public static let standard = SecretNames()

    /// Whether the value of a field, a parameter or a variable of this name is hidden.
    ///
    /// - Parameter name: The name in any spelling, percent-encoded or not.
    public func contains(_ name: String) -> Bool { kind(of: name) != nil }

    package func kind(of name: some StringProtocol) -> SecretKind? {
        // Longer text is not a name.
        guard name.utf8.count <= 512 else { return nil }
        let words = NameWords(name)
        if !plain.isEmpty, plain.contains(words.squashed) { return nil }
        return !added.isEmpty && added.contains(words.squashed) ? .clear : SecretNameList.kind(of: words)
    }

    /// Both lists. A name that is plain in one of them is plain.
    package func union(_ other: SecretNames) -> SecretNames {
        var names = self
        names.added.formUnion(other.added)
        names.plain.formUnion(other.plain)
        return names
    }

    var isStandard: Bool { added.isEmpty && plain.isEmpty }
}
