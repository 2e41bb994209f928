// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import struct Foundation.Date

extension CookieStore {
    /// Stores a cookie that a server has set (RFC 6265bis §5.7).
    ///
    /// - Throws: ``CookieJar/ValidationError`` if the server may not set it.
    mutating func set(_ field: SetCookie, from target: TargetURI, at now: Date) throws(CookieJar.ValidationError) {
        let cookie = try makeCookie(of: field, from: target, at: now)
        if cookie.isSecure, !CookieScope.isSecure(target) { throw .insecureOrigin }
        if !CookieScope.isSecure(target), hides(cookie, at: now) { throw .hidesSecureCookie }
        if !Self.satisfiesPrefix(cookie, field) { throw .prefixViolation }
        insert(cookie, at: now)
    }

    private func makeCookie(
        of field: SetCookie,
        from target: TargetURI,
        at now: Date
    ) throws(CookieJar.ValidationError) -> CookieJar.Cookie {
        let domain = try domain(field.domain, for: target.host)
        return CookieJar.Cookie(
            name: field.name,
            value: field.value,
            domain: domain ?? target.host,
            isHostOnly: domain == nil,
            path: field.path ?? CookieScope.defaultPath(of: target.path),
            isSecure: field.isSecure,
            isHTTPOnly: field.isHTTPOnly,
            sameSite: field.sameSite,
            expires: Self.expiry(of: field, at: now),
            created: now
        )
    }

    /// The domain of a cookie for several hosts; `nil` for a cookie of the host alone.
    private func domain(_ domain: String?, for host: String) throws(CookieJar.ValidationError) -> String? {
        guard let domain else { return nil }
        guard CookieScope.host(host, isIn: domain) else {
            throw suffixes.isPublicSuffix(domain) ? .publicSuffix : .foreignDomain
        }
        if CookieScope.isAddress(host) { return nil }
        if CookieScope.labelCount(of: domain) >= suffixes.minimumSharedLength(for: host) { return domain }
        // A host that is itself a public suffix, such as `localhost`, can have its own cookies.
        guard host == domain else { throw .publicSuffix }
        return nil
    }

    /// The expiry date, by `Max-Age` before `Expires`, within ``CookieLimits/lifetime``.
    private static func expiry(of field: SetCookie, at now: Date) -> Date? {
        if let age = field.maximumAge { return age <= 0 ? .distantPast : now.addingTimeInterval(Double(age)) }
        return field.expires.map { min($0, now.addingTimeInterval(CookieLimits.lifetime)) }
    }

    /// Whether the cookie would hide a secure one of the same name ("leave secure cookies alone").
    private func hides(_ cookie: CookieJar.Cookie, at now: Date) -> Bool {
        (buckets[CookieScope.bucket(of: cookie.domain)] ?? []).contains { entry in
            let old = entry.cookie
            return old.isSecure && old.name == cookie.name && !old.isExpired(at: now)
                && CookieScope.path(cookie.path, isIn: old.path)
                && (CookieScope.host(old.domain, isIn: cookie.domain)
                    || CookieScope.host(cookie.domain, isIn: old.domain))
        }
    }

    /// Whether a cookie meets the requirements of its name's prefix; a nameless one must not begin with a prefix.
    private static func satisfiesPrefix(_ cookie: CookieJar.Cookie, _ field: SetCookie) -> Bool {
        if cookie.name.isEmpty { return !hasPrefix("__secure-", cookie.value) && !hasPrefix("__host-", cookie.value) }
        if hasPrefix("__secure-", cookie.name) { return cookie.isSecure }
        if hasPrefix("__host-", cookie.name) { return cookie.isSecure && field.domain == nil && field.path == "/" }
        return true
    }

    private static func hasPrefix(_ prefix: String, _ text: String) -> Bool {
        text.utf8.prefix(prefix.utf8.count).elementsEqual(prefix.utf8) { $0 == $1 || $0 == $1 & ~0x20 }
    }
}
