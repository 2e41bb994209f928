// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import struct Foundation.Date

/// The cookies of a jar, and their selection for requests: a value without a clock, a lock or a file.
struct CookieStore: Sendable {
    /// A cookie with the facts that decide its place among others.
    struct Entry: Sendable {
        var cookie: CookieJar.Cookie
        /// The registrable domain, or the host if it has none.
        let site: String
        /// The order of creation, for cookies that the clock does not tell apart.
        var order: Int
        var lastAccess: Date
    }

    /// The cookies by ``CookieScope/bucket(of:)``, so that a host without cookies costs one look-up.
    var buckets: [String: [Entry]] = [:]
    private(set) var count = 0
    /// The number of changes, by which a jar knows that its file is outdated.
    private(set) var changes = 0
    private var nextOrder = 0
    let suffixes: PublicSuffixList

    init(suffixes: PublicSuffixList) {
        self.suffixes = suffixes
    }

    /// The cookies for a request, longer paths first, then older ones (RFC 6265bis §5.8.3). They count as used now.
    mutating func cookies(for target: TargetURI, at now: Date) -> [CookieJar.Cookie] {
        if count == 0 { return [] }
        let key = CookieScope.bucket(of: target.host)
        guard var bucket = buckets[key] else { return [] }
        let hits = hits(in: bucket, for: target, at: now)
        if hits.isEmpty { return [] }
        for index in hits { bucket[index].lastAccess = now }
        buckets[key] = bucket
        return hits.map { bucket[$0] }.sorted(by: Self.isSentBefore).map(\.cookie)
    }

    /// The indices of the cookies to send.
    ///
    /// A cookie of a file has no host that set it, and one of `kobe.jp` was set by a host above the public suffixes
    /// `*.kobe.jp`: so a cookie for several hosts must also be acceptable for the host that gets it.
    private func hits(in bucket: [Entry], for target: TargetURI, at now: Date) -> [Int] {
        let hits = bucket.indices.filter { Self.isFor(target, bucket[$0].cookie, at: now) }
        if hits.allSatisfy({ bucket[$0].cookie.domain == target.host }) { return hits }
        let minimum = suffixes.minimumSharedLength(for: target.host)
        return hits.filter { index in
            let domain = bucket[index].cookie.domain
            return domain == target.host || CookieScope.labelCount(of: domain) >= minimum
        }
    }

    private static func isFor(_ target: TargetURI, _ cookie: CookieJar.Cookie, at now: Date) -> Bool {
        let isHost =
            cookie.isHostOnly ? target.host == cookie.domain : CookieScope.host(target.host, isIn: cookie.domain)
        return isHost && CookieScope.path(target.path, isIn: cookie.path)
            && (!cookie.isSecure || CookieScope.isSecure(target)) && !cookie.isExpired(at: now)
    }

    private static func isSentBefore(_ one: Entry, _ other: Entry) -> Bool {
        let lengths = (one.cookie.path.utf8.count, other.cookie.path.utf8.count)
        if lengths.0 != lengths.1 { return lengths.0 > lengths.1 }
        return (one.cookie.created, one.order) < (other.cookie.created, other.order)
    }
}

extension CookieStore {
    /// All cookies that have not expired, oldest first.
    func all(at now: Date) -> [Entry] {
        buckets.values.joined().filter { !$0.cookie.isExpired(at: now) }.sorted { $0.order < $1.order }
    }

    /// Inserts a cookie in place of one with the same identity, whose creation time it keeps; makes room if necessary.
    mutating func insert(_ cookie: CookieJar.Cookie, lastAccess: Date? = nil, at now: Date) {
        let key = CookieScope.bucket(of: cookie.domain)
        let site = suffixes.registrableDomain(of: cookie.domain) ?? cookie.domain
        var entry = Entry(cookie: cookie, site: site, order: nextOrder, lastAccess: lastAccess ?? now)
        nextOrder += 1
        if let old = buckets[key]?.first(where: {
            $0.cookie.hasSameIdentity(as: cookie) && !$0.cookie.isExpired(at: now)
        }) {
            (entry.cookie.created, entry.order) = (old.cookie.created, old.order)
        }
        keep(inBucket: key) { !$0.cookie.hasSameIdentity(as: cookie) && !$0.cookie.isExpired(at: now) }
        if cookie.isExpired(at: now) { return }
        buckets[key, default: []].append(entry)
        count += 1
        changes += 1
        evict(from: key, site: site, at: now)
    }

    /// Removes the cookies of a bucket for which the closure returns `false`.
    mutating func keep(inBucket key: String, where isKept: (Entry) -> Bool) {
        guard let bucket = buckets[key] else { return }
        let rest = bucket.filter(isKept)
        if rest.count == bucket.count { return }
        buckets[key] = rest.isEmpty ? nil : rest
        count -= bucket.count - rest.count
        changes += 1
    }

    /// Removes the cookies for which the closure returns `false`.
    mutating func keep(where isKept: (Entry) -> Bool) {
        for key in Array(buckets.keys) { keep(inBucket: key, where: isKept) }
    }
}

extension CookieStore {
    /// Makes room after a cookie was added (RFC 6265bis §5.7).
    ///
    /// A site with too many cookies loses one: of those that are not secure, if any, the one unused for longest. A
    /// store with too many loses the expired ones, or else the one unused for longest.
    mutating func evict(from key: String, site: String, at now: Date) {
        let ofSite = (buckets[key] ?? []).filter { $0.site == site }
        if ofSite.count > CookieLimits.perSite, let victim = ofSite.min(by: Self.isEvictedBefore) {
            keep(inBucket: key) { $0.order != victim.order }
        }
        if count > CookieLimits.total { keep { !$0.cookie.isExpired(at: now) } }
        if count > CookieLimits.total, let victim = buckets.values.joined().min(by: Self.wasUsedBefore) {
            keep(inBucket: CookieScope.bucket(of: victim.cookie.domain)) { $0.order != victim.order }
        }
    }

    private static func isEvictedBefore(_ one: Entry, _ other: Entry) -> Bool {
        one.cookie.isSecure == other.cookie.isSecure ? wasUsedBefore(one, other) : !one.cookie.isSecure
    }

    private static func wasUsedBefore(_ one: Entry, _ other: Entry) -> Bool {
        (one.lastAccess, one.order) < (other.lastAccess, other.order)
    }
}

extension CookieStore {
    /// Inserts the cookies of a file, within the limits for cookies that servers set.
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
