// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import struct Foundation.Date

extension CookieStore {
    /// Takes what a file has, as far as a server could have set it.
    mutating func restore(_ entries: [Entry], at now: Date) {
        for entry in entries {
            insert(restored(entry.cookie, at: now), lastAccess: min(entry.lastAccess, now), at: now)
        }
    }

    private func restored(_ cookie: CookieJar.Cookie, at now: Date) -> CookieJar.Cookie {
        CookieJar.Cookie(
            name: cookie.name,
            value: cookie.value,
            domain: cookie.domain,
            isHostOnly: cookie.isHostOnly || suffixes.isPublicSuffix(cookie.domain),
            path: cookie.path,
            isSecure: cookie.isSecure,
            isHTTPOnly: cookie.isHTTPOnly,
            sameSite: cookie.sameSite,
            expires: cookie.expires.map { min($0, now.addingTimeInterval(CookieLimits.lifetime)) },
            created: min(cookie.created, now)
        )
    }
}
