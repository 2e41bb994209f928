// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The changes of a directory that are not made yet. A later change of a file replaces an earlier one, so there are
/// never more than resources and variants, however slow the disk is.
struct FolderChanges {
    /// A file of a resource.
    struct File: Hashable {
        let partition: CacheDigest
        let variant: CacheDigest
    }

    /// What becomes of a file.
    enum Change {
        case store(StoredResponse)
        case remove

        fileprivate var bytes: Int { if case .store(let response) = self { response.size } else { 0 } }
    }

    /// The changes of one resource.
    struct Batch {
        /// Whether all files are removed before the others are changed.
        var removesAll = false
        var files: [File: Change] = [:]

        fileprivate var bytes: Int { files.values.reduce(0) { $0 + $1.bytes } }
    }

    private var waiting: [CacheDigest: Batch] = [:]
    private var running: (resource: CacheDigest, bytes: Int)?
    private var waitingBytes = 0

    /// The number of resources with changes that are not begun.
    var count: Int { waiting.count }

    /// The size of all responses that are not written yet.
    var bytes: Int { waitingBytes + (running?.bytes ?? 0) }

    /// Whether a resource has changes that are not made yet.
    func contains(_ resource: CacheDigest) -> Bool { waiting[resource] != nil || running?.resource == resource }

    /// Adds the change of a file.
    ///
    /// - Returns: Whether the changes of the resource must be scheduled: they are not yet.
    mutating func add(_ change: Change, of file: File, _ resource: CacheDigest) -> Bool {
        let isNew = waiting[resource] == nil
        let old = waiting[resource, default: Batch()].files.updateValue(change, forKey: file)
        waitingBytes += change.bytes - (old?.bytes ?? 0)
        return isNew
    }

    /// Adds the removal of all files of a resource, which replaces its other changes.
    ///
    /// - Returns: Whether the changes of the resource must be scheduled: they are not yet.
    mutating func addRemoval(of resource: CacheDigest) -> Bool {
        let old = waiting.updateValue(Batch(removesAll: true), forKey: resource)
        waitingBytes -= old?.bytes ?? 0
        return old == nil
    }

    /// Forgets all changes that are not begun: everything will be removed.
    mutating func removeAll() {
        (waiting, waitingBytes) = ([:], 0)
    }

    /// Takes the changes of a resource, which are made from now on; `nil` if they were forgotten.
    mutating func begin(_ resource: CacheDigest) -> Batch? {
        guard let batch = waiting.removeValue(forKey: resource) else { return nil }
        running = (resource, batch.bytes)
        waitingBytes -= batch.bytes
        return batch
    }

    /// Notes that the changes that were begun are made.
    mutating func end() {
        running = nil
    }
}
