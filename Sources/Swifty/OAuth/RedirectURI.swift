// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

/// The URI to which an authorization server leads the browser (RFC 6749 §3.1.2): `http`, `https`, or the scheme of an
/// app (RFC 8252 §7.1).
struct RedirectURI: Sendable {
    let text: String
    private let place: String
    private let query: QueryParameters

    /// - Throws: ``SwiftyError`` if it is not absolute, or has a fragment or characters that a URI does not allow.
    init(_ text: String) throws(SwiftyError) {
        let parts = Self.parts(of: text)
        guard text.utf8.isVisibleASCII, !text.contains("#"), let place = parts.place else {
            let reason = "the redirect URI is not an absolute URI without a fragment"
            throw SwiftyError(.invalidURL, stage: .building, reason: reason)
        }
        (self.text, self.place, query) = (text, place, parts.query)
    }

    /// The parameters that the server has added to this URI; `nil` if a callback leads elsewhere.
    func parameters(in callback: String) -> QueryParameters? {
        let parts = Self.parts(of: callback)
        guard parts.place == place else { return nil }
        var added = parts.query.all
        // The server retains those of the redirect URI (RFC 6749 §3.1.2).
        for own in query {
            guard let index = added.firstIndex(where: { $0 == own }) else { return nil }
            added.remove(at: index)
        }
        return QueryParameters(added)
    }

    /// The normal form of a URI without its query and fragment, `nil` if it is not absolute; and the query.
    private static func parts(of text: String) -> (place: String?, query: QueryParameters) {
        let withoutFragment = text.prefix { $0 != "#" }
        let base = withoutFragment.prefix { $0 != "?" }
        let query = withoutFragment.dropFirst(base.count + 1)
        return (place(of: String(base)), QueryParameters(query: String(query)))
    }

    private static func place(of base: String) -> String? {
        guard let colon = base.firstIndex(of: ":"), isScheme(base[..<colon]) else { return nil }
        let scheme = base[..<colon].lowercased()
        guard TargetURI.Scheme(rawValue: scheme) != nil else { return scheme + base[colon...] }
        // Browsers write some of them differently: `http://127.0.0.1:8400` as `http://127.0.0.1:8400/`.
        return (try? TargetURI(base))?.string
    }

    /// Whether the string has the form of a URI's scheme (RFC 3986 §3.1).
    private static func isScheme(_ text: Substring) -> Bool {
        guard let first = text.utf8.first, first.isASCIILetter else { return false }
        return text.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "+-.".utf8.contains($0) }
    }
}
