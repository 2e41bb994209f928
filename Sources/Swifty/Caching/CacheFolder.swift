// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import SwiftySupport
import Synchronization

/// The responses on the disk, in a folder that several processes may share; its files are ``CacheFiles``.
///
/// Changes are made on one queue, one step in each block. Until then, the files of the resource are not read, but what
/// is to be written. After a removal that has failed, they are not read before it has succeeded.
final class CacheFolder: Sendable {
    /// The bytes that may wait to be written; a response beyond that is not stored.
    private static let maximumPendingBytes = 32 << 20
    /// The changes that may wait; beyond that, everything is removed. So many responses are more than the bytes above.
    private static let maximumPending = 1 << 16
    /// The searches that may wait for the disk; beyond that, a search finds nothing.
    private static let maximumReads = 256
    /// The resources that are remembered because their removal has failed; beyond that, nothing is read.
    private static let maximumUnremoved = 1024
    /// How long nothing is written or removed again after a failure, in seconds.
    private static let pause = 60.0

    private struct State {
        var pending = FolderChanges()
        /// Whether a block that makes the next change is on the queue.
        var isScheduled = false
        var reads = 0
        /// What could not be removed.
        var unremoved: Set<CacheDigest> = []
        var isEverythingUnremoved = false
        var failures = 0
        var latestFailure: FileFailure?
        /// Nothing is written before this time.
        var resumption = -Double.infinity

        mutating func note(_ new: CacheFiles.Failures, of step: FolderChanges.Step) {
            failures += new.count
            latestFailure = new.latest ?? latestFailure
            switch step {
            case .removeEverything:
                isEverythingUnremoved = new.hasLeftFiles
                unremoved = []
            case .change(let resource, let batch):
                if new.hasLeftFiles {
                    unremoved.insert(resource)
                } else if batch.removesAll {
                    unremoved.remove(resource)
                }
                if unremoved.count > CacheFolder.maximumUnremoved { (isEverythingUnremoved, unremoved) = (true, []) }
            }
        }
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

    /// The number of failures to write or to remove, and the latest one.
    var failures: (count: Int, latest: FileFailure?) { state.withLock { ($0.failures, $0.latestFailure) } }

    /// The newest stored response that may answer a request.
    nonisolated(nonsending) func response(to request: NetworkRequest, _ key: CacheKey) async -> StoredResponse? {
        removeAgain(key.resource)
        let (unwritten, mayRead) = state.withLock { state -> (StoredResponse?, Bool) in
            if state.pending.contains(key.resource) { return (state.pending.response(to: request, key), false) }
            let isBlocked = state.isEverythingUnremoved || state.unremoved.contains(key.resource)
            guard !isBlocked, state.reads < Self.maximumReads else { return (nil, false) }
            state.reads += 1
            return (nil, true)
        }
        guard mayRead else { return unwritten }
        return await reads.value { [self] in
            defer { state.withLock { $0.reads -= 1 } }
            return files.response(to: request, key)
        }
    }

    /// Stores a response in place of the one with the same variant, later.
    func store(_ response: StoredResponse, _ key: CacheKey, at now: Double) {
        change { state in
            let hasRoom = state.pending.bytes == 0 || state.pending.bytes + response.size <= Self.maximumPendingBytes
            // The old file must not stay the stored one.
            let change = hasRoom && state.resumption <= now ? FolderChanges.Change.store(response) : .remove
            state.pending.add(change, of: FolderChanges.File(key, response.variant), key.resource)
        }
    }

    /// Removes one variant, later.
    func remove(_ key: CacheKey, _ variant: CacheVariant) {
        change { $0.pending.add(.remove, of: FolderChanges.File(key, variant), key.resource) }
    }

    /// Removes all responses of a resource, later.
    func remove(_ resource: CacheDigest) {
        change { $0.pending.addRemoval(of: resource) }
    }

    /// Removes all responses, later.
    func removeAll() {
        change { $0.pending.addRemovalOfEverything() }
    }

    /// Returns when all changes so far are made.
    nonisolated(nonsending) func flush() async {
        await changes.value { [self] in
            while !state.withLock({ $0.pending.isEmpty }) { makeNextChange() }
        }
    }

    /// Returns when the files of a resource are removed, if they are to be; what only writes waits.
    nonisolated(nonsending) func finishRemoval(of resource: CacheDigest) async {
        await changes.value { [self] in
            while state.withLock({ $0.pending.willRemove(resource) }) { makeNextChange() }
        }
    }
}

// MARK: Changes

extension CacheFolder {
    private func change(_ change: (inout State) -> Void) {
        let isScheduled = state.withLock { state in
            change(&state)
            if state.pending.count > Self.maximumPending { state.pending.addRemovalOfEverything() }
            defer { state.isScheduled = true }
            return state.isScheduled
        }
        if !isScheduled { schedule() }
    }

    /// Makes one change, and then the next one in another block, so that a block that waits for some is not held up by
    /// the others.
    private func schedule() {
        changes.run { [self] in
            makeNextChange()
            let isDone = state.withLock { state in
                state.isScheduled = !state.pending.isEmpty
                return !state.isScheduled
            }
            if !isDone { schedule() }
        }
    }

    private func makeNextChange() {
        guard let step = state.withLock({ $0.pending.begin() }) else { return }
        let failures = files.make(step)
        let resumption = failures.latest == nil ? nil : now() + Self.pause
        state.withLock { state in
            state.pending.end()
            state.note(failures, of: step)
            if let resumption { state.resumption = resumption }
        }
    }

    /// Tries again what could not be removed, once the pause is over.
    private func removeAgain(_ resource: CacheDigest) {
        let isConcerned = state.withLock { state in
            // Another removal would forget what is stored after this one.
            (state.isEverythingUnremoved || state.unremoved.contains(resource)) && !state.pending.contains(resource)
        }
        guard isConcerned else { return }
        let now = now()
        let (isDue, everything) = state.withLock { ($0.resumption <= now, $0.isEverythingUnremoved) }
        if isDue { everything ? removeAll() : remove(resource) }
    }
}

extension FolderChanges.File {
    fileprivate init(_ key: CacheKey, _ variant: CacheVariant) {
        self.init(partition: key.partition, variant: variant.digest)
    }
}
