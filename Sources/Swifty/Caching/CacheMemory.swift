// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The responses in memory. When they exceed the limit, those that were not used for the longest time leave, an eighth
/// at a time.
struct CacheMemory {
    /// The number of variants of one resource for one user; more would be a field in `Vary` that differs each time.
    static let maximumVariants = 16

    private struct Entry {
        var response: StoredResponse
        var lastUse: UInt64
    }

    /// The largest sum of the sizes.
    let maximumBytes: Int
    private(set) var bytes = 0
    private(set) var count = 0
    private var resources: [CacheDigest: [CacheDigest: [Entry]]] = [:]
    private var uses: UInt64 = 0

    init(maximumBytes: Int) {
        self.maximumBytes = maximumBytes
    }

    /// The newest stored response that may answer a request.
    mutating func response(to request: NetworkRequest, _ key: CacheKey) -> StoredResponse? {
        guard let entries = resources[key.resource]?[key.partition] else { return nil }
        let matching = entries.indices.filter { entries[$0].response.variant.matches(request) }
        let newest = matching.max { entries[$0].response.times.received < entries[$1].response.times.received }
        guard let newest else { return nil }
        uses += 1
        resources[key.resource]?[key.partition]?[newest].lastUse = uses
        return entries[newest].response
    }

    /// Stores a response in place of the one with the same variant.
    mutating func store(_ response: StoredResponse, _ key: CacheKey) {
        remove(key, response.variant)
        guard response.size <= maximumBytes else { return }
        uses += 1
        let entry = Entry(response: response, lastUse: uses)
        resources[key.resource, default: [:]][key.partition, default: []].append(entry)
        (bytes, count) = (bytes + response.size, count + 1)
        limitVariants(of: key)
        if bytes > maximumBytes { shrink() }
    }

    /// Removes one variant.
    mutating func remove(_ key: CacheKey, _ variant: CacheVariant) {
        filter(key.resource, of: key.partition) { $0.response.variant != variant }
    }

    /// Removes all responses of a resource.
    mutating func remove(_ resource: CacheDigest) {
        for partition in resources[resource]?.keys.map(\.self) ?? [] {
            filter(resource, of: partition) { _ in false }
        }
    }

    mutating func removeAll() {
        self = CacheMemory(maximumBytes: maximumBytes)
    }

    private mutating func limitVariants(of key: CacheKey) {
        let entries = resources[key.resource]?[key.partition] ?? []
        guard entries.count > Self.maximumVariants, let oldest = entries.map(\.lastUse).min() else { return }
        filter(key.resource, of: key.partition) { $0.lastUse != oldest }
    }

    private mutating func shrink() {
        let uses = resources.values.flatMap { $0.values.joined() }.map { ($0.lastUse, $0.response.size) }
        var rest = bytes
        var oldestKept: UInt64 = 0
        for (lastUse, size) in uses.sorted(by: { $0.0 < $1.0 }) where rest > maximumBytes / 8 * 7 {
            rest -= size
            oldestKept = lastUse + 1
        }
        for (resource, partitions) in resources {
            for partition in partitions.keys {
                filter(resource, of: partition) { $0.lastUse >= oldestKept }
            }
        }
    }

    private mutating func filter(
        _ resource: CacheDigest,
        of partition: CacheDigest,
        isKept: (Entry) -> Bool
    ) {
        guard let entries = resources[resource]?[partition] else { return }
        let kept = entries.filter(isKept)
        if kept.count == entries.count { return }
        bytes -= entries.reduce(0) { $0 + $1.response.size } - kept.reduce(0) { $0 + $1.response.size }
        count -= entries.count - kept.count
        resources[resource]?[partition] = kept.isEmpty ? nil : kept
        if resources[resource]?.isEmpty ?? false { resources[resource] = nil }
    }
}
