// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

/// A URI or a relative reference in its five parts (RFC 3986 §4.1), of any scheme and without validation.
///
/// For strings that may not be a ``TargetURI``, such as a `Location`. Every string has these parts; ``TargetURI``
/// validates them.
package struct URIReference: Sendable, Hashable {
    /// The scheme as written; `nil` for a relative reference.
    package let scheme: String?
    /// User information, host and port as written; `nil` without `//`.
    package let authority: String?
    /// The path; it may be empty.
    package let path: String
    /// The query without its `?`; `nil` if the reference has no query.
    package let query: String?
    /// The fragment without its `#`; `nil` if the reference has no fragment.
    package let fragment: String?
}

extension URIReference {
    /// Splits a string like the regular expression of RFC 3986, appendix B. It never fails.
    package init(_ text: String) {
        var rest = text[...]
        fragment = rest.takeLast(after: "#")
        query = rest.takeLast(after: "?")
        scheme = rest.takeScheme()
        authority = rest.takeAuthority()
        path = String(rest)
    }

    /// The whole text (RFC 3986 §5.3).
    package var string: String {
        let scheme = self.scheme.map { $0 + ":" } ?? ""
        let authority = self.authority.map { "//" + $0 } ?? ""
        return scheme + authority + path + (query.map { "?" + $0 } ?? "") + (fragment.map { "#" + $0 } ?? "")
    }

    /// The target of the reference relative to a base URI (RFC 3986 §5.2.2, strict).
    ///
    /// Dot segments with percent-encoded dots are also resolved (§6.2.2.2).
    package func resolved(against base: URIReference) -> URIReference {
        if scheme != nil {
            return replacing(scheme: scheme, authority: authority, path: DotSegments.removed(from: path))
        }
        if authority != nil {
            return replacing(scheme: base.scheme, authority: authority, path: DotSegments.removed(from: path))
        }
        if path.isEmpty {
            return URIReference(
                scheme: base.scheme,
                authority: base.authority,
                path: base.path,
                query: query ?? base.query,
                fragment: fragment
            )
        }
        let merged = path.hasPrefix("/") ? path : base.merging(path)
        return replacing(scheme: base.scheme, authority: base.authority, path: DotSegments.removed(from: merged))
    }

    private func replacing(scheme: String?, authority: String?, path: String) -> URIReference {
        URIReference(scheme: scheme, authority: authority, path: path, query: query, fragment: fragment)
    }

    /// RFC 3986 §5.2.3.
    private func merging(_ relativePath: String) -> String {
        if authority != nil, path.isEmpty { return "/" + relativePath }
        guard let slash = path.lastIndex(of: "/") else { return relativePath }
        return path[...slash] + relativePath
    }
}

extension Substring {
    /// Removes the text from the first occurrence of a character on; returns it without that character.
    fileprivate mutating func takeLast(after mark: Character) -> String? {
        guard let index = firstIndex(of: mark) else { return nil }
        defer { self = self[..<index] }
        return String(self[index...].dropFirst())
    }

    fileprivate mutating func takeScheme() -> String? {
        guard let colon = firstIndex(where: { ":/".contains($0) }), self[colon] == ":" else { return nil }
        let name = self[..<colon]
        let isScheme =
            name.utf8.first?.isASCIILetter == true
            && name.utf8.allSatisfy { $0.isASCIILetterOrDigit || "+-.".utf8.contains($0) }
        guard isScheme else { return nil }
        self = self[colon...].dropFirst()
        return String(name)
    }

    fileprivate mutating func takeAuthority() -> String? {
        guard hasPrefix("//") else { return nil }
        let rest = dropFirst(2)
        let end = rest.firstIndex(of: "/") ?? rest.endIndex
        self = rest[end...]
        return String(rest[..<end])
    }
}
