// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

extension CURLArguments {
    /// The method, of which curl has a default for each kind of content.
    package var methodText: String {
        if let method { return method }
        if isHead { return "HEAD" }
        if content.isUpload { return "PUT" }
        return content.isSent ? "POST" : "GET"
    }

    /// What curl appends to the query of the URL, in its order.
    package var query: [String] {
        queryAdditions + (content.goesIntoQuery ? content.text.map { [$0] } ?? [] : [])
    }

    /// The URL as curl completes it, without the user information and the fragment, which are not sent in it.
    ///
    /// `http` is the default scheme, and the name of an uploaded file is added to a path that is a folder.
    package var completeURL: (text: String, login: String?) {
        let given = (url ?? "").prefix { $0 != "#" }
        let whole = Self.hasScheme(given) ? String(given) : "http://\(given)"
        let (text, login) = Self.withoutLogin(whole)
        guard content.isUpload, let file = content.file, !text.contains("?") else { return (text, login) }
        let name = PercentEncoding.encode(file.split(separator: "/").last.map(String.init) ?? file)
        if text.hasSuffix("/") { return (text + name, login) }
        let hasPath = text.split(separator: "://", maxSplits: 1).last?.contains("/") ?? false
        return (hasPath ? text : "\(text)/\(name)", login)
    }

    /// Whether the text begins with a scheme; the query may contain another URL.
    private static func hasScheme(_ text: Substring) -> Bool {
        guard let mark = text.firstRange(of: "://") else { return false }
        return text[..<mark.lowerBound].allSatisfy { $0.isLetter || $0.isNumber || "+-.".contains($0) }
    }

    /// The URL without its user information, and that as `user:password`.
    private static func withoutLogin(_ url: String) -> (text: String, login: String?) {
        guard let start = url.firstRange(of: "://")?.upperBound else { return (url, nil) }
        let authority = url[start...].prefix { !"/?".contains($0) }
        guard let mark = authority.lastIndex(of: "@") else { return (url, nil) }
        let login = PercentEncoding.decode(String(authority[..<mark]))
        return (String(url[..<start] + url[mark...].dropFirst()), login)
    }
}
