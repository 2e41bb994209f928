// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Swifty

/// What a person types in place of a whole URL.
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

    /// Whether it is not plainly something else: an item, JSON, or a header field of curl's.
    static func canBeURL(_ text: String) -> Bool {
        let text = text.replacing("{n}", with: "0").prefix { $0 != "#" }
        return hasScheme(text) || !text.prefix { !"/?".contains($0) }.contains { "={}\"'<>, ".contains($0) }
    }

    /// Whether a scheme comes first; another URL may stand in the query.
    private static func hasScheme(_ text: Substring) -> Bool {
        guard let mark = text.firstRange(of: "://") else { return false }
        return text[..<mark.lowerBound].allSatisfy { $0.isLetter || $0.isNumber || "+-.".contains($0) }
    }

    /// Port and path after `localhost`, of a text that begins with a colon.
    private static func localRest(_ text: Substring) -> Substring? {
        guard text.first == ":", !text.hasPrefix("::") else { return nil }
        let rest = text.dropFirst()
        if rest.first?.isNumber == true { return text }
        return rest.isEmpty || "/?".contains(rest[rest.startIndex]) ? rest : nil
    }

    /// Whether the host that comes first is this machine, however it is written.
    private static func isLocal(_ text: Substring) -> Bool {
        guard let host = try? TargetURI("http://\(text.prefix { !"/?".contains($0) })").host else { return false }
        let isName = host == "localhost" || host.hasSuffix(".localhost")
        // A name may begin like an address: 127.example.com.
        let isAddress = host.allSatisfy { $0.isNumber || $0 == "." }
        return isName || host == "[::1]" || isAddress && host.hasPrefix("127.")
    }
}
