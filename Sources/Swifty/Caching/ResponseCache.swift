// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport
import Synchronization

public import struct Foundation.Date

/// Stores responses, and answers later requests with them as RFC 9111 allows.
///
///     let cache = try ResponseCache(directory: "/var/cache/shop")
///     let swifty = Swifty { $0.responseCache = cache }
///
/// A `Swifty` without a cache stores nothing. Instances that share a cache share its responses; ``CachePolicy`` says
/// how a load uses them.
///
/// The cache may serve many users: a response answers only requests with the same credentials, as they were sent in
/// `Authorization`, `Cookie`, `X-API-Key` and other secret fields (or with the same ``CachePolicy/partition``), a
/// `private` response only requests with equal fields, and one that sets a cookie is stored only if it is `public`.
/// A request with another method than GET, HEAD, OPTIONS and TRACE removes the stored responses of its URL.
///
/// In a directory, responses survive the process, and several processes may use them simultaneously. The files, which
/// only their owner can read, contain what servers sent, without `Set-Cookie`, and no request; their names are digests.
/// If the disk is full or fails, loads go on without stored responses, and ``statistics`` has the failure. All methods
/// may be called from any thread.
public final class ResponseCache: Sendable {
    private struct State {
        var memory: CacheMemory
        var log = InvalidationLog()
        var recent = RecentStores()
        /// All changes: what was read from the disk before one of them is not the stored response any more.
        var changes = InvalidationLog()
        /// The responses that are being refreshed in the background.
        var refreshing: Set<CacheKey> = []
        var statistics = Statistics()
    }

    private let state: Mutex<State>
    private let folder: CacheFolder?
    private let clock: @Sendable () -> Date
    /// The largest response that is stored, in bytes: an eighth of the limit.
    let maximumResponseBytes: Int

    /// Makes an empty cache in memory.
    ///
    /// - Parameters:
    ///   - maximumBytes: The size of all responses together, in bytes; those that were not used for the longest time
    ///     leave. A response that is larger than an eighth of it is not stored.
    ///   - now: The clock by which responses age. For tests.
    public init(maximumBytes: Int = 16 << 20, now: @escaping @Sendable () -> Date = { Date() }) {
        state = Mutex(State(memory: CacheMemory(maximumBytes: max(maximumBytes, 0))))
        maximumResponseBytes = max(maximumBytes, 0) / 8
        folder = nil
        clock = now
    }

    /// Makes a cache with the responses of a directory.
    ///
    /// - Parameters:
    ///   - directory: The path of a directory for the cache alone, which is made if it does not exist. A relative one
    ///     is resolved now.
    ///   - maximumBytes: The size of all files together, in bytes. Processes that share the directory should have the
    ///     same limit.
    ///   - maximumMemoryBytes: The size of the responses that are also kept in memory.
    ///   - now: The clock by which responses age. For tests.
    /// - Throws: ``DirectoryError`` if the directory cannot be made or written to, belongs to another user, or can be
    ///   written by one, who could choose the responses.
    public init(
        directory: String,
        maximumBytes: Int = 256 << 20,
        maximumMemoryBytes: Int = 8 << 20,
        now: @escaping @Sendable () -> Date = { Date() }
    ) throws(DirectoryError) {
        let path = FilePlace.absolute(directory)
        do throws(FileFailure) {
            folder = try CacheFolder(path: path, maximumBytes: max(maximumBytes, 0)) { now().timeIntervalSince1970 }
        } catch {
            throw DirectoryError(path: path, reason: error.reason)
        }
        state = Mutex(State(memory: CacheMemory(maximumBytes: max(maximumMemoryBytes, 0))))
        maximumResponseBytes = max(maximumBytes, 0) / 8
        clock = now
    }

    /// An empty cache in memory with the same clock.
    var separate: ResponseCache { ResponseCache(now: clock) }

    /// Removes the stored responses of a URL, of all users.
    public func remove(_ target: TargetURI) {
        invalidate(CacheKey.resource(target))
    }

    /// Removes all stored responses.
    public func removeAll() async {
        state.withLock { state in
            state.memory.removeAll()
            state.log.invalidateAll()
            state.changes.invalidateAll()
            folder?.removeAll()
        }
        await folder?.flush()
    }

    /// Returns when everything that was stored so far is in the directory; at once for a cache in memory.
    public func flush() async {
        await folder?.flush()
    }

    /// Counts of the answers, and the size of what is in memory. May be read at any time.
    public var statistics: Statistics {
        var (statistics, memory) = state.withLock { ($0.statistics, ($0.memory.count, $0.memory.bytes)) }
        (statistics.responsesInMemory, statistics.bytesInMemory) = memory
        if let failures = folder?.failures {
            statistics.writeFailures = failures.count
            statistics.latestFailure = failures.latest?.reason
        }
        return statistics
    }
}

extension ResponseCache: CustomStringConvertible, CustomReflectable {
    /// The place of the responses and their number in memory.
    public var description: String {
        let place = folder.map { "in \($0.path), " } ?? ""
        return "ResponseCache(\(place)\(statistics.responsesInMemory) responses in memory)"
    }

    /// The ``description`` alone, so that `dump` shows no responses.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension ResponseCache {
    /// Counts of a cache since it was made.
    public struct Statistics: Sendable, Hashable {
        /// Loads that a stored response answered without a request.
        public var hits = 0
        /// Loads that a stored response answered after the server had confirmed it.
        public var revalidations = 0
        /// Requests that were sent because no stored response could be used.
        public var misses = 0
        /// Responses that were stored.
        public var stores = 0
        /// Responses in memory.
        public var responsesInMemory = 0
        /// The size of the responses in memory, in bytes.
        public var bytesInMemory = 0
        /// Responses that could not be written to the directory, or removed from it.
        public var writeFailures = 0
        /// The reason of the latest of these failures; `nil` for none.
        public var latestFailure: String?

        /// Makes empty statistics.
        public init() {}
    }

    /// A directory that a cache cannot use.
    public struct DirectoryError: Error, Sendable, Hashable, CustomStringConvertible {
        /// The path of the directory.
        public let path: String
        /// The reason in words.
        public let reason: String

        /// The directory and the reason, in one line.
        public var description: String { "\(path) cannot hold a cache: \(reason)" }
    }
}

// MARK: What loads do

extension ResponseCache {
    /// Seconds since 1970.
    var now: Double { clock().timeIntervalSince1970 }

    /// Whether a search may have to wait for the disk.
    var isOnDisk: Bool { folder != nil }

    /// The number of invalidations so far, of which a response that is stored later must know.
    var invalidations: Int { state.withLock { $0.log.count } }

    /// The stored response in memory that may answer a request.
    func responseInMemory(to request: NetworkRequest, _ key: CacheKey) -> StoredResponse? {
        state.withLock { $0.memory.response(to: request, key) }
    }

    /// The stored response on the disk that may answer a request; from now on it is also in memory.
    nonisolated(nonsending) func responseOnDisk(to request: NetworkRequest, _ key: CacheKey) async -> StoredResponse? {
        let number = state.withLock { $0.changes.count }
        guard let response = await folder?.response(to: request, key) else { return nil }
        return state.withLock { state in
            // One that was stored meanwhile is a change.
            guard state.changes.isValid(key.resource, since: number) else { return nil }
            state.memory.store(response, key)
            return response
        }
    }

    /// Stores a response, unless its resource was invalidated after it was requested, or one that was requested later
    /// is stored.
    func store(_ response: StoredResponse, _ key: CacheKey, since invalidations: Int) {
        // Not under the lock: the clock is the caller's code.
        let now = now
        state.withLock { state in
            guard state.log.isValid(key.resource, since: invalidations), state.recent.insert(response, key)
            else { return }
            state.memory.store(response, key)
            state.changes.invalidate(key.resource)
            state.statistics.stores += 1
            folder?.store(response, key, at: now)
        }
    }

    /// Removes one stored response, which the server has another one for.
    func remove(_ response: StoredResponse, _ key: CacheKey) {
        state.withLock { state in
            state.memory.remove(key, response.variant)
            state.changes.invalidate(key.resource)
            folder?.remove(key, response.variant)
        }
    }

    /// Removes the stored responses of a resource, and those that are on their way.
    func invalidate(_ resource: CacheDigest) {
        state.withLock { state in
            state.log.invalidate(resource)
            state.changes.invalidate(resource)
            state.memory.remove(resource)
            folder?.remove(resource)
        }
    }

    /// Returns when what was invalidated is gone from the directory.
    nonisolated(nonsending) func finishInvalidation(of resource: CacheDigest) async {
        await folder?.finishRemoval(of: resource)
    }

    /// Whether a resource was not invalidated after a number of invalidations.
    func isValid(_ resource: CacheDigest, since invalidations: Int) -> Bool {
        state.withLock { $0.log.isValid(resource, since: invalidations) }
    }

    /// Whether to refresh a response now: no other load does.
    func beginRefresh(_ key: CacheKey) -> Bool { state.withLock { $0.refreshing.insert(key).inserted } }

    /// The number of responses that are being refreshed. For tests.
    package var refreshCount: Int { state.withLock { $0.refreshing.count } }

    func endRefresh(_ key: CacheKey) {
        state.withLock { _ = $0.refreshing.remove(key) }
    }

    func count(_ counter: any WritableKeyPath<Statistics, Int> & Sendable) {
        state.withLock { $0.statistics[keyPath: counter] += 1 }
    }
}
