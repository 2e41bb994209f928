// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import struct Foundation.Date

extension CookieStore {
    /// Makes room after a cookie was added (RFC 6265bis §5.7): first what is over, then, of a domain that has too many,
    /// what is not secure, then what was not used for longest.
    mutating func evict(from key: String, site: String, at now: Date) {
        let ofSite = (buckets[key] ?? []).filter { $0.site == site }
        if ofSite.count > CookieLimits.perSite, let victim = ofSite.min(by: Self.goesBefore) {
            keep(inBucket: key) { $0.order != victim.order }
        }
        if count > CookieLimits.total { keep { !$0.cookie.isExpired(at: now) } }
        if count > CookieLimits.total, let victim = buckets.values.joined().min(by: Self.wasUsedBefore) {
            keep(inBucket: CookieScope.bucket(of: victim.cookie.domain)) { $0.order != victim.order }
        }
    }

    private static func goesBefore(_ one: Entry, _ other: Entry) -> Bool {
        one.cookie.isSecure == other.cookie.isSecure ? wasUsedBefore(one, other) : !one.cookie.isSecure
    }

    private static func wasUsedBefore(_ one: Entry, _ other: Entry) -> Bool {
        (one.lastAccess, one.order) < (other.lastAccess, other.order)
    }
}
