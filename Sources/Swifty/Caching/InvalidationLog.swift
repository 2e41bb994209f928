// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// Which resources were invalidated, and when: a response that was requested before must not be stored after.
struct InvalidationLog {
    /// How many invalidations are remembered.
    private static let limit = 1024

    /// The number of invalidations so far.
    private(set) var count = 0
    private var latest: [CacheDigest: Int] = [:]
    /// The number up to which an invalidation may concern any resource.
    private var floor = 0

    mutating func invalidate(_ resource: CacheDigest) {
        count += 1
        if latest.count >= Self.limit { forget() }
        latest[resource] = count
    }

    mutating func invalidateAll() {
        count += 1
        forget()
    }

    /// Whether a resource has been valid since a number of invalidations.
    func isValid(_ resource: CacheDigest, since number: Int) -> Bool {
        max(latest[resource] ?? 0, floor) <= number
    }

    private mutating func forget() {
        latest.removeAll(keepingCapacity: true)
        floor = count
    }
}
