// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import SwiftySupport
import Synchronization

/// The responses on the disk, in a folder that several processes may share; its files are ``CacheFiles``.
///
/// Changes are made on one queue. Until then, the files of the resource are not read.
final class CacheFolder: Sendable {
    /// The bytes that may wait to be written; a response beyond that is not stored.
    private static let maximumPendingBytes = 32 << 20
    /// The resources whose changes may wait; beyond that, everything is removed. That many fit into the bytes above, so
    /// only removals reach the limit.
    private static let maximumPending = 1 << 16
    /// How long nothing is written after a failure, in seconds.
    private static let pause = 60.0

    private struct State {
        var pending = FolderChanges()
        /// The number of removals of everything that are not made yet. Nothing is read meanwhile.
        var pendingRemovals = 0
        var failures = 0
        var latestFailure: FileFailure?
        /// Nothing is written before this time.
        var resumption = -Double.infinity
    }

    private let files: CacheFiles
    private let changes = DispatchQueue(label: "swifty.cache.changes", qos: .utility)
    private let reads = DispatchQueue(label: "swifty.cache.reads", attributes: .concurrent)
    private let now: @Sendable () -> Double
    private let state = Mutex(State())

    /// - Throws: ``FileFailure`` if the folder cannot be made or written, or if other users may write to it.
    init(path: String, maximumBytes: Int, now: @escaping @Sendable () -> Double) throws(FileFailure) {
        try FilePlace.makePrivateFolder(path)
        files = CacheFiles(path: path, maximumBytes: maximumBytes, now: now)
        self.now = now
    }

    var path: String { files.path }

    /// The number of failures to write, and the latest one.
    var failures: (count: Int, latest: FileFailure?) { state.withLock { ($0.failures, $0.latestFailure) } }

    /// The newest stored response that may answer a request.
    nonisolated(nonsending) func response(to request: NetworkRequest, _ key: CacheKey) async -> StoredResponse? {
        if state.withLock({ $0.pendingRemovals > 0 || $0.pending.contains(key.resource) }) { return nil }
        return await reads.value { [files] in files.response(to: request, key) }
    }

    /// Stores a response in place of the one with the same variant, later.
    func store(_ response: StoredResponse, _ key: CacheKey, at now: Double) {
        change(key.resource) { state in
            let hasRoom = state.pending.bytes + response.size <= Self.maximumPendingBytes
            // The old file must not stay the stored one.
            let change = hasRoom && state.resumption <= now ? FolderChanges.Change.store(response) : .remove
            return state.pending.add(change, of: FolderChanges.File(key, response.variant), key.resource)
        }
    }

    /// Removes one variant, later.
    func remove(_ key: CacheKey, _ variant: CacheVariant) {
        change(key.resource) { $0.pending.add(.remove, of: FolderChanges.File(key, variant), key.resource) }
    }

    /// Removes all responses of a resource, later.
    func remove(_ resource: CacheDigest) {
        change(resource) { $0.pending.addRemoval(of: resource) }
    }

    /// Removes all responses, later.
    func removeAll() {
        state.withLock { state in
            state.pending.removeAll()
            state.pendingRemovals += 1
        }
        changes.run { [self] in
            files.removeAll()
            state.withLock { $0.pendingRemovals -= 1 }
        }
    }

    /// Returns when all changes so far are made.
    nonisolated(nonsending) func flush() async {
        await changes.value {}
    }

    /// - Parameter add: Adds a change, and says whether it must be scheduled.
    private func change(_ resource: CacheDigest, add: (inout State) -> Bool) {
        let (isNew, isTooMuch) = state.withLock { (add(&$0), $0.pending.count > Self.maximumPending) }
        if isTooMuch { return removeAll() }
        guard isNew else { return }
        changes.run { [self] in
            guard let batch = state.withLock({ $0.pending.begin(resource) }) else { return }
            let failure = files.make(batch, of: resource)
            let resumption = failure == nil ? nil : now() + Self.pause
            state.withLock { state in
                state.pending.end()
                guard let failure, let resumption else { return }
                (state.failures, state.latestFailure) = (state.failures + 1, failure)
                state.resumption = resumption
            }
        }
    }
}

extension FolderChanges.File {
    fileprivate init(_ key: CacheKey, _ variant: CacheVariant) {
        self.init(partition: key.partition, variant: variant.digest)
    }
}
