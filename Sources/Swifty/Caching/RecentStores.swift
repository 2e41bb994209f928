// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The times of the responses that were stored last: a response that one of them has overtaken is not stored in its
/// place, or the cache would go back to an older state.
struct RecentStores {
    /// How many are remembered. A response is overtaken while its request is in flight.
    private static let limit = 1024

    private struct Place: Hashable {
        let key: CacheKey
        let variant: CacheDigest
    }

    private var times: [Place: CacheTimes] = [:]

    /// Notes a response that is to be stored.
    ///
    /// - Returns: `false` if it was overtaken, and is not to be stored.
    mutating func insert(_ response: StoredResponse, _ key: CacheKey) -> Bool {
        let place = Place(key: key, variant: response.variant.digest)
        if let latest = times[place], response.times.isOvertaken(by: latest) { return false }
        if times.count >= Self.limit { times.removeAll(keepingCapacity: true) }
        times[place] = response.times
        return true
    }
}
