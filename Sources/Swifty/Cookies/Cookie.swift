// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import struct Foundation.Date

extension CookieJar {
    /// A cookie in a ``CookieJar`` (RFC 6265bis §5.7).
    ///
    /// The value is a secret: descriptions and dumps omit it.
    public struct Cookie: Sendable, Hashable {
        /// The `SameSite` attribute. It is stored and never prevents sending: a client without documents makes no
        /// cross-site requests.
        public enum SameSite: String, Sendable, Hashable {
            /// Sent only with requests from the same site.
            case strict = "Strict"
            /// Also sent when a user follows a link from another site.
            case lax = "Lax"
            /// Sent with every request.
            case none = "None"
        }

        /// The name; empty for a cookie that was set without one.
        public let name: String
        /// The value: a secret.
        public let value: String
        /// The host of the cookie, or the domain of all its hosts; in lower case, without a leading dot.
        public let domain: String
        /// Whether the cookie is for the host ``domain`` alone, not for the hosts below it.
        public let isHostOnly: Bool
        /// The path at and below which the cookie is sent.
        public let path: String
        /// Whether the cookie is sent over https only.
        public let isSecure: Bool
        /// Whether the server wants the cookie hidden from scripts. Without scripts, it changes nothing.
        public let isHTTPOnly: Bool
        /// The `SameSite` attribute; `nil` if there was none.
        public let sameSite: SameSite?
        /// The expiry date; `nil` for a session cookie.
        public let expires: Date?
        /// The time at which a cookie of this name, domain and path was first set.
        public internal(set) var created: Date
    }
}

extension CookieJar.Cookie {
    /// Name and value as in a `Cookie` field.
    var pair: String { name.isEmpty ? value : "\(name)=\(value)" }

    func isExpired(at now: Date) -> Bool {
        expires.map { $0 <= now } ?? false
    }

    /// Whether setting one of the cookies replaces the other.
    func hasSameIdentity(as other: CookieJar.Cookie) -> Bool {
        name == other.name && domain == other.domain && isHostOnly == other.isHostOnly && path == other.path
    }
}

extension CookieJar.Cookie: CustomStringConvertible, CustomReflectable {
    /// The cookie as in a `Set-Cookie` field, without its value.
    public var description: String {
        var text = "\(name)=\(Redaction.placeholder); \(isHostOnly ? "Host" : "Domain")=\(domain); Path=\(path)"
        if isSecure { text += "; Secure" }
        if isHTTPOnly { text += "; HttpOnly" }
        if let sameSite { text += "; SameSite=\(sameSite.rawValue)" }
        return Redaction.oneLine(text)
    }

    /// A mirror of the description alone.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
