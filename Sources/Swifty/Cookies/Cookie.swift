// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

public import struct Foundation.Date

extension CookieJar {
    /// A cookie as a ``CookieJar`` keeps it (RFC 6265bis §5.7).
    ///
    /// Its value is a secret: what is printed, interpolated or dumped shows everything but that.
    public struct Cookie: Sendable, Hashable {
        /// What `SameSite` asks for. A client without documents has no cross-site requests: it is kept, and never in the way.
        public enum SameSite: String, Sendable, Hashable {
            /// Only with requests of the site itself.
            case strict = "Strict"
            /// Also when a person follows a link from elsewhere.
            case lax = "Lax"
            /// With every request.
            case none = "None"
        }

        /// The name; empty for a cookie that was set without one.
        public let name: String
        /// The value: a secret.
        public let value: String
        /// The host that the cookie is for, or the domain with all hosts in it; in lower case, without a leading dot.
        public let domain: String
        /// Whether the cookie is for the host ``domain`` alone, and not for the hosts below it.
        public let isHostOnly: Bool
        /// The path at and below which the cookie is sent.
        public let path: String
        /// Whether the cookie is sent over https only.
        public let isSecure: Bool
        /// Whether the server wants the cookie hidden from scripts; there are none here, so it changes nothing.
        public let isHTTPOnly: Bool
        /// The `SameSite` attribute; `nil` if there was none.
        public let sameSite: SameSite?
        /// When the cookie ends; `nil` for one of the session.
        public let expires: Date?
        /// When a cookie of this name, domain and path was set first.
        public internal(set) var created: Date
    }
}

extension CookieJar.Cookie {
    /// Name and value as a `Cookie` field has them.
    var pair: String { name.isEmpty ? value : "\(name)=\(value)" }

    func isExpired(at now: Date) -> Bool {
        expires.map { $0 <= now } ?? false
    }

    /// Whether setting the one replaces the other.
    func hasSameIdentity(as other: CookieJar.Cookie) -> Bool {
        name == other.name && domain == other.domain && isHostOnly == other.isHostOnly && path == other.path
    }
}

extension CookieJar.Cookie: CustomStringConvertible, CustomReflectable {
    /// The cookie as a `Set-Cookie` field has it, without its value.
    public var description: String {
        var text = "\(name)=\(Redaction.placeholder); \(isHostOnly ? "Host" : "Domain")=\(domain); Path=\(path)"
        if isSecure { text += "; Secure" }
        if isHTTPOnly { text += "; HttpOnly" }
        if let sameSite { text += "; SameSite=\(sameSite.rawValue)" }
        return Redaction.oneLine(text)
    }

    /// Nothing beyond the description.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
