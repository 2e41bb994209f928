// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

import struct Foundation.Date

/// A parsed `Set-Cookie` field, before it is checked against its sender (RFC 6265bis §5.6).
struct SetCookie: Equatable {
    var name = ""
    var value = ""
    /// In lower case, without the leading dot; `nil` if the attribute is missing or empty.
    var domain: String?
    /// `nil` if the attribute is missing or not an absolute path.
    var path: String?
    var isSecure = false
    var isHTTPOnly = false
    var sameSite: CookieJar.Cookie.SameSite?
    /// In seconds, at most ``CookieLimits/lifetime``; zero removes the cookie.
    var maximumAge: Int?
    var expires: Date?
}

extension SetCookie {
    init(parsing bytes: some Collection<UInt8>) throws(CookieJar.ValidationError) {
        guard bytes.allSatisfy(\.isFieldByte) else { throw .controlCharacter }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .malformed }
        var parts = text.utf8.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)[...]
        guard let pair = parts.popFirst() else { throw .malformed }
        (name, value) = Self.nameAndValue(of: pair)
        if name.isEmpty, value.isEmpty { throw .malformed }
        if name.utf8.count + value.utf8.count > CookieLimits.pairBytes { throw .tooLarge }
        for part in parts { add(attribute: part) }
    }

    /// Splits a pair; one without `=` is a value without a name.
    private static func nameAndValue(of pair: Substring.UTF8View) -> (String, String) {
        guard let equals = pair.firstIndex(of: UInt8(ascii: "=")) else { return ("", trimmed(pair)) }
        return (trimmed(pair[..<equals]), trimmed(pair[equals...].dropFirst()))
    }

    private static func trimmed(_ bytes: Substring.UTF8View) -> String {
        String(Substring(bytes.trimmingSpacesAndTabs()))
    }
}

extension SetCookie {
    /// Adds an attribute. The last one of a name counts; one that is too large, and an invalid date or age, is ignored.
    private mutating func add(attribute bytes: Substring.UTF8View) {
        let equals = bytes.firstIndex(of: UInt8(ascii: "=")) ?? bytes.endIndex
        let value = Self.trimmed(bytes[equals...].dropFirst())
        if value.utf8.count > CookieLimits.attributeBytes { return }
        switch Self.trimmed(bytes[..<equals]).lowercased() {
        case "expires": expires = CookieDate.parse(value) ?? expires
        case "max-age": maximumAge = Self.seconds(value) ?? maximumAge
        case "domain": domain = Self.domain(value)
        case "path": path = value.utf8.first == UInt8(ascii: "/") ? value : nil
        case "secure": isSecure = true
        case "httponly": isHTTPOnly = true
        case "samesite": sameSite = CookieJar.Cookie.SameSite(rawValue: value.lowercased().capitalizedASCII)
        default: break
        }
    }

    /// A domain without its leading dot. A dot alone stays: no host belongs to it.
    private static func domain(_ value: String) -> String? {
        if value.isEmpty { return nil }
        return (value.utf8.first == UInt8(ascii: ".") && value.utf8.count > 1 ? String(value.dropFirst()) : value)
            .lowercased()
    }

    /// The number of seconds, bounded by ``CookieLimits/lifetime``; `nil` unless the text is a whole number.
    private static func seconds(_ value: String) -> Int? {
        let isNegative = value.utf8.first == UInt8(ascii: "-")
        let digits = value.utf8.dropFirst(isNegative ? 1 : 0)
        guard digits.isDecimal else { return nil }
        if isNegative { return 0 }
        return min(Int(value) ?? .max, Int(CookieLimits.lifetime))
    }
}

extension String {
    fileprivate var capitalizedASCII: String { prefix(1).uppercased() + dropFirst() }
}

extension CookieJar {
    /// The reason for which a jar refuses a cookie.
    public enum ValidationError: String, Error, Sendable, Hashable {
        /// Neither a name nor a value, or invalid UTF-8.
        case malformed
        /// A control character other than tab.
        case controlCharacter
        /// Name and value have more than 4,096 bytes.
        case tooLarge
        /// `Domain` does not include the host.
        case foreignDomain
        /// `Domain` is a public suffix, such as `co.uk`, or not longer than the one of the host: `amazonaws.com` for
        /// `a.s3.amazonaws.com`.
        case publicSuffix
        /// `Secure` in a response that did not arrive over https, nor from this machine (`localhost`, `127.0.0.1`,
        /// `[::1]`).
        case insecureOrigin
        /// A cookie that did not arrive over https and would hide a secure one.
        case hidesSecureCookie
        /// A name with the prefix `__Secure-` or `__Host-` without the attributes that the prefix requires.
        case prefixViolation
    }
}

/// The limits of a jar (RFC 6265bis §5.5, §5.6, §6.1).
enum CookieLimits {
    /// Cookies that one response can set.
    static let perResponse = 50
    /// Cookies of all hosts of one registrable domain.
    static let perSite = 180
    /// Cookies in a jar.
    static let total = 3000
    /// Bytes of the `Cookie` field up to which a jar adds cookies.
    static let fieldBytes = 8192
    /// Bytes of a cookie's name and value together.
    static let pairBytes = 4096
    /// Bytes of an attribute's value.
    static let attributeBytes = 1024
    /// The longest lifetime of a cookie: 400 days, in seconds.
    static let lifetime = 400.0 * 86_400
}
