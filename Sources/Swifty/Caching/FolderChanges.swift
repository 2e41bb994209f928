// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The changes of a directory that are not made yet. A later change of a file replaces an earlier one, and what removes
/// all files of a resource is made before what only writes.
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

        /// The responses of a user that may answer a request.
        fileprivate func responses(to request: NetworkRequest, of partition: CacheDigest) -> [File: StoredResponse] {
            files.reduce(into: [:]) { found, change in
                guard change.key.partition == partition, case .store(let response) = change.value,
                    response.variant.matches(request)
                else { return }
                found[change.key] = response
            }
        }

        fileprivate var bytes: Int { files.values.reduce(0) { $0 + $1.bytes } }
        fileprivate var count: Int { files.count + (removesAll ? 1 : 0) }
    }

    /// What is done next.
    enum Step {
        case removeEverything
        case change(CacheDigest, Batch)

        fileprivate var bytes: Int { if case .change(_, let batch) = self { batch.bytes } else { 0 } }
    }

    private var waiting: [CacheDigest: Batch] = [:]
    /// The waiting resources with a removal of all files.
    private var removals: Set<CacheDigest> = []
    /// The waiting resources of one round, the next one last; those that wait no more are skipped.
    private var round: [CacheDigest] = []
    private var removesEverything = false
    private var running: Step?
    private var waitingBytes = 0

    /// The number of changes that are not begun.
    private(set) var count = 0

    /// The size of all responses that are not written yet.
    var bytes: Int { waitingBytes + (running?.bytes ?? 0) }

    /// Whether no change waits.
    var isEmpty: Bool { waiting.isEmpty && !removesEverything }

    /// Whether a resource has changes that are not made yet.
    func contains(_ resource: CacheDigest) -> Bool {
        if removesEverything || waiting[resource] != nil { return true }
        switch running {
        case nil: return false
        case .removeEverything: return true
        case .change(let current, _): return current == resource
        }
    }

    /// Whether all files of a resource are removed by a step that is not begun.
    func willRemove(_ resource: CacheDigest) -> Bool { removesEverything || removals.contains(resource) }

    /// The newest response that is not written yet, and may answer a request.
    func response(to request: NetworkRequest, _ key: CacheKey) -> StoredResponse? {
        let later = waiting[key.resource]
        var found = later?.responses(to: request, of: key.partition) ?? [:]
        if !removesEverything, later?.removesAll != true, case .change(key.resource, let batch) = running {
            // What is changed once more is as it will be.
            found.merge(batch.responses(to: request, of: key.partition)) { later, _ in later }
            for file in found.keys { if case .remove = later?.files[file] { found[file] = nil } }
        }
        return found.values.max { $0.times.received < $1.times.received }
    }

    /// Adds the change of a file.
    mutating func add(_ change: Change, of file: File, _ resource: CacheDigest) {
        let old = waiting[resource, default: Batch()].files.updateValue(change, forKey: file)
        if old == nil { count += 1 }
        waitingBytes += change.bytes - (old?.bytes ?? 0)
    }

    /// Adds the removal of all files of a resource, which replaces its other changes.
    mutating func addRemoval(of resource: CacheDigest) {
        let new = Batch(removesAll: true)
        let old = waiting.updateValue(new, forKey: resource)
        count += new.count - (old?.count ?? 0)
        waitingBytes -= old?.bytes ?? 0
        removals.insert(resource)
    }

    /// Adds the removal of everything, which replaces all other changes that are not begun.
    mutating func addRemovalOfEverything() {
        (waiting, removals, round) = ([:], [], [])
        (waitingBytes, count) = (0, 0)
        removesEverything = true
    }

    /// Takes the next step, which is made from now on; `nil` if nothing waits.
    mutating func begin() -> Step? {
        running = takeNext()
        waitingBytes -= running?.bytes ?? 0
        return running
    }

    /// Notes that the step that was begun is made.
    mutating func end() {
        running = nil
    }

    private mutating func takeNext() -> Step? {
        if removesEverything {
            removesEverything = false
            return .removeEverything
        }
        if let resource = removals.first { return take(resource) }
        if round.isEmpty { round = Array(waiting.keys) }
        while let resource = round.popLast() {
            if let step = take(resource) { return step }
        }
        // All of the round were removals, which were made before; others may have come since it began.
        return waiting.keys.first.flatMap { take($0) }
    }

    private mutating func take(_ resource: CacheDigest) -> Step? {
        removals.remove(resource)
        guard let batch = waiting.removeValue(forKey: resource) else { return nil }
        count -= batch.count
        return .change(resource, batch)
    }
}
