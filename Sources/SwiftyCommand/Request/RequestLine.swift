// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftySupport

/// The positional arguments: `[METHOD] URL [ITEM…]`.
struct RequestLine: Equatable {
    /// The method in upper case; `nil` if none was given.
    var method: String?
    /// The absolute URL, without user and password.
    var url: String
    /// The `user:password` of the URL; `nil` if it has none.
    var login: String?
    var items: [RequestItem]
    /// Whether one of the items was `-`: the content comes from standard input.
    var readsInput: Bool

    /// Parses the arguments.
    ///
    /// The first is a method if another follows and it is a word in capitals, or one of the common methods in any case.
    ///
    /// - Parameter option: The method that an option names.
    init(_ arguments: [String], method option: String? = nil) throws(UsageError) {
        guard let first = arguments.first else { throw Self.missingURL }
        let hasMethod = arguments.count > 1 && Self.isMethod(first)
        method = hasMethod ? first.uppercased() : option?.uppercased()
        if let option, let method, option.uppercased() != method {
            throw UsageError("There are two methods: \(method) and \(option.uppercased()).")
        }
        let location = arguments[hasMethod ? 1 : 0]
        if let repaired = URLShorthand.repaired(location) {
            // Errors are kept in logs, so what follows the scheme is shown only if it has no secret.
            let shown = Redaction.redact(reference: repaired)
            let subject = shown == repaired ? "\"\(location)\"" : "This"
            throw UsageError("\(subject) is not a URL.", hint: "Did you mean \(shown)?")
        }
        if !URLShorthand.canBeURL(location) {
            throw UsageError("\"\(Redaction.redact(reference: location))\" is not a URL.", hint: Self.form)
        }
        if location.contains(where: \.isWhitespace) {
            throw UsageError("The URL contains a space.", hint: "Write %20 in its place.")
        }
        (url, login) = URLShorthand.withoutLogin(URLShorthand.expand(location))
        let rest = arguments.dropFirst(hasMethod ? 2 : 1)
        readsInput = rest.contains("-")
        items = []
        for argument in rest where argument != "-" { items.append(try RequestItem(argument)) }
        if Self.isMethod(first), !hasMethod { throw Self.missingURL }
    }

    private static let missingURL = UsageError("The URL is missing.", hint: form)
    private static let form = "Write [METHOD] URL [ITEM…], as in POST :3000/users name=Ada."

    static let commonMethods: Set<String> = [
        "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE",
    ]

    private static func isMethod(_ text: String) -> Bool {
        commonMethods.contains(text.uppercased()) || text.allSatisfy { $0.isASCII && ($0.isUppercase || $0 == "-") }
    }
}

/// Abbreviations of URLs.
///
/// `:3000/path` means `http://localhost:3000/path`, `:/path` means `http://localhost/path`. A URL without a scheme gets
/// `https`, and `http` if its host is this machine.
enum URLShorthand {
    /// The absolute URL. A fragment is dropped, since it is never sent.
    static func expand(_ text: String) -> String {
        let text = text.prefix { $0 != "#" }
        if text.hasPrefix("://") { return "https\(text)" }
        if hasScheme(text) { return String(text) }
        if let rest = localRest(text) { return "http://localhost\(rest)" }
        return isLocal(text) ? "http://\(text)" : "https://\(text)"
    }

    /// The URL without the `user:password@` before its host, and the `user:password`; `nil` if it has none.
    static func withoutLogin(_ url: String) -> (url: String, login: String?) {
        guard let start = url.firstRange(of: "://")?.upperBound else { return (url, nil) }
        let authority = url[start...].prefix { !"/?#".contains($0) }
        guard let mark = authority.lastIndex(of: "@") else { return (url, nil) }
        let login = authority[..<mark]
        let text = String(login).removingPercentEncoding ?? String(login)
        let rest = String(url[..<start] + url[mark...].dropFirst())
        return (rest, login.contains(":") ? text : "\(text):")
    }

    /// The URL, with the name of an uploaded file after a path that ends with a slash, as in curl.
    static func complete(_ url: String, forUploadOf path: String?) -> String {
        guard let name = path?.split(separator: "/").last, url.hasSuffix("/"), !url.contains("?") else { return url }
        return url + PercentEncoding.encode(String(name))
    }

    /// The URL that was probably meant, if a colon or a slash after its scheme is missing; `nil` if none is.
    ///
    /// A port follows the colon of a host with the name `http`.
    static func repaired(_ text: String) -> String? {
        for scheme in ["https", "http"] {
            guard text.lowercased().hasPrefix(scheme) else { continue }
            let rest = text.dropFirst(scheme.count)
            let isCut = rest.hasPrefix("//") || rest.hasPrefix(":") && rest.dropFirst().first?.isNumber != true
            let place = rest.drop { ":/".contains($0) }
            return isCut && !rest.hasPrefix("://") && !place.isEmpty ? "\(scheme)://\(place)" : nil
        }
        return nil
    }

    /// Whether the text may be a URL: it is not clearly an item, JSON, or a header field of curl.
    static func canBeURL(_ text: String) -> Bool {
        let text = text.replacing("{n}", with: "0").prefix { $0 != "#" }
        return hasScheme(text) || !text.prefix { !"/?".contains($0) }.contains { "={}\"'<>, ".contains($0) }
    }

    /// Whether the text begins with a scheme; the query may contain another URL.
    private static func hasScheme(_ text: Substring) -> Bool {
        guard let mark = text.firstRange(of: "://") else { return false }
        return text[..<mark.lowerBound].allSatisfy { $0.isLetter || $0.isNumber || "+-.".contains($0) }
    }

    /// The port and the path to append to `localhost`; `nil` if the text does not begin with a colon.
    private static func localRest(_ text: Substring) -> Substring? {
        guard text.first == ":", !text.hasPrefix("::") else { return nil }
        let rest = text.dropFirst()
        if rest.first?.isNumber == true { return text }
        return rest.isEmpty || "/?".contains(rest[rest.startIndex]) ? rest : nil
    }

    /// Whether the host is this machine, in any notation.
    private static func isLocal(_ text: Substring) -> Bool {
        let authority = text.prefix { !"/?".contains($0) }
        let place = authority.lastIndex(of: "@").map { authority[$0...].dropFirst() } ?? authority
        guard let host = try? TargetURI("http://\(place)").host else { return false }
        let isName = host == "localhost" || host.hasSuffix(".localhost")
        // A name may begin like an address: 127.example.com.
        let isAddress = host.allSatisfy { $0.isNumber || $0 == "." }
        return isName || host == "[::1]" || isAddress && host.hasPrefix("127.")
    }
}
