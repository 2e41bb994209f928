// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport
import Synchronization

/// The files of stored responses. All methods block their thread.
///
/// One file is one response, `ab/RESOURCE/PARTITION/VARIANT`, named by digests. A file is written beside its place and
/// then renamed, so a reader finds a whole one or none; the checksum finds what the disk has damaged. There is no
/// index: what is in the folder is what is stored. The time of a file's last change is that of its last use.
final class CacheFiles: Sendable {
    private struct Count {
        /// The number of bytes of all files when they were counted; `nil` if they never were.
        var counted: Int?
        /// What this process has written since. Other processes also write.
        var written = 0
    }

    let path: String
    private let maximumBytes: Int
    private let now: @Sendable () -> Double
    private let count = Mutex(Count())

    init(path: String, maximumBytes: Int, now: @escaping @Sendable () -> Double) {
        (self.path, self.maximumBytes, self.now) = (path, maximumBytes, now)
    }

    private func place(of resource: CacheDigest) -> String {
        let name = resource.hexadecimal
        return "\(path)/\(name.prefix(2))/\(name)"
    }

    private func place(of partition: CacheDigest, _ resource: CacheDigest) -> String {
        "\(place(of: resource))/\(partition.hexadecimal)"
    }
}

// MARK: Reading

extension CacheFiles {
    /// The newest stored response that may answer a request.
    func response(to request: NetworkRequest, _ key: CacheKey) -> StoredResponse? {
        let paths = (try? paths(in: place(of: key.partition, key.resource))) ?? []
        let matching = paths.compactMap { path in
            beginning(of: path).map { (path: path, beginning: $0) }
        }.filter { $0.beginning.variant.matches(request) }
        for match in matching.sorted(by: { $0.beginning.times.received > $1.beginning.times.received }) {
            // The file may be another one by now.
            guard let response = response(in: match.path), response.variant.matches(request) else { continue }
            FilePlace.touch(match.path, at: now())
            return response
        }
        return nil
    }

    private func beginning(of path: String) -> StoredResponse.Beginning? {
        let bytes = try? FileContent.read(
            path,
            as: .regularWithoutLink(maximum: maximumBytes),
            atMost: StoredResponse.Beginning.maximumBytes
        )
        return bytes.flatMap { readable(StoredResponse.Beginning(Array($0)), path) }
    }

    private func response(in path: String) -> StoredResponse? {
        let bytes = try? FileContent.read(path, as: .regularWithoutLink(maximum: maximumBytes))
        return bytes.flatMap { readable(StoredResponse(encoded: Array($0)), path) }
    }

    /// What a file contains; the file is removed if it is damaged.
    private func readable<Content>(_ content: Content?, _ path: String) -> Content? {
        if content == nil { try? FilePlace.removeIfPresent(path) }
        return content
    }
}

// MARK: Changes

extension CacheFiles {
    /// What could not be done.
    struct Failures {
        fileprivate(set) var count = 0
        fileprivate(set) var latest: FileFailure?
        /// Whether files are left that had to be removed.
        fileprivate(set) var hasLeftFiles = false

        /// Notes the failure of what a closure does, if it fails.
        fileprivate mutating func note(_ work: () throws(FileFailure) -> Void) {
            do throws(FileFailure) {
                try work()
            } catch {
                (count, latest) = (count + 1, error)
            }
        }

        /// Notes the failure of a removal, if it fails.
        fileprivate mutating func noteRemoval(_ work: () throws(FileFailure) -> Void) {
            let count = count
            note(work)
            if self.count > count { hasLeftFiles = true }
        }
    }

    /// Removes everything, or makes the changes of a resource.
    func make(_ step: FolderChanges.Step) -> Failures {
        switch step {
        case .removeEverything: removeAll()
        case .change(let resource, let batch): make(batch, of: resource)
        }
    }

    private func make(_ batch: FolderChanges.Batch, of resource: CacheDigest) -> Failures {
        var failures = Failures()
        if batch.removesAll { removeAll(of: resource, &failures) }
        let files = batch.files.map { ("\(place(of: $0.partition, resource))/\($0.variant.hexadecimal)", $1) }
        for (path, change) in files.sorted(by: { $0.0 < $1.0 }) { make(change, at: path, &failures) }
        return failures
    }

    /// Removes all files, and those that other processes write now.
    private func removeAll() -> Failures {
        var failures = Failures()
        var places: [String] = []
        failures.noteRemoval { () throws(FileFailure) in places = try self.places() }
        for place in places { remove(in: place, &failures) }
        count.withLock { $0 = Count() }
        return failures
    }

    private func make(_ change: FolderChanges.Change, at path: String, _ failures: inout Failures) {
        let count = failures.count
        if case .store(let response) = change {
            failures.note { () throws(FileFailure) in try store(response, at: path) }
            if failures.count == count { return }
        }
        // The old file must not stay the stored one.
        failures.noteRemoval { () throws(FileFailure) in try FilePlace.removeIfPresent(path) }
    }

    private func removeAll(of resource: CacheDigest, _ failures: inout Failures) {
        let place = place(of: resource)
        var names: [String] = []
        failures.noteRemoval { () throws(FileFailure) in names = try self.names(in: place) }
        for name in names { remove(in: "\(place)/\(name)", &failures) }
    }

    /// Removes the files of a user, also those that are not finished: their writers begin again.
    private func remove(in place: String, _ failures: inout Failures) {
        failures.noteRemoval { () throws(FileFailure) in
            for name in try FilePlace.names(in: place) where Self.isFile(name) || Self.isUnfinished(name) {
                try FilePlace.removeIfPresent("\(place)/\(name)")
            }
        }
        FilePlace.removeEmptyFolder(place)
        FilePlace.removeEmptyFolder(FilePlace.split(place).folder)
    }

    private func store(_ response: StoredResponse, at path: String) throws(FileFailure) {
        let (bytes, old) = (response.encoded, FilePlace.regularFile(at: path)?.size ?? 0)
        try write(bytes, to: path)
        FilePlace.touch(path, at: now())
        limitVariants(beside: path)
        let mustCount = count.withLock { count in
            count.written += bytes.count
            count.counted? += bytes.count - old
            return count.counted ?? .max > maximumBytes || count.written > maximumBytes / 16
        }
        if mustCount { shrink() }
    }

    /// Writes a file in its folder, which another process may remove meanwhile, since it is empty.
    private func write(_ bytes: [UInt8], to path: String, failedAttempts: Int = 0) throws(FileFailure) {
        do throws(FileFailure) {
            if failedAttempts > 0 { try makeFolders(of: path) }
            try AtomicFileWriter.replaceVolatile(path, with: bytes)
        } catch {
            guard error.isMissing, failedAttempts < 5 else { throw error }
            try write(bytes, to: path, failedAttempts: failedAttempts + 1)
        }
    }

    private func makeFolders(of place: String) throws(FileFailure) {
        let partition = FilePlace.split(place).folder
        let resource = FilePlace.split(partition).folder
        for folder in [path, FilePlace.split(resource).folder, resource, partition] {
            try FilePlace.makePrivateFolder(folder)
        }
    }

    /// Removes the variant that was not used for the longest time if there are too many: a search reads all of them.
    private func limitVariants(beside path: String) {
        let others = ((try? paths(in: FilePlace.split(path).folder)) ?? []).filter { $0 != path }
        guard others.count >= CacheMemory.maximumVariants else { return }
        // A file that is gone is before all others.
        let oldest = others.min { lastUse(of: $0) ?? -.infinity < lastUse(of: $1) ?? -.infinity }
        if let oldest { try? FilePlace.removeIfPresent(oldest) }
    }

    private func lastUse(of path: String) -> Double? { FilePlace.regularFile(at: path)?.modified }
}

// MARK: All files

extension CacheFiles {
    private struct Entry {
        let path: String
        let size: Int
        let lastUse: Double
    }

    /// Counts the files, and removes those that were not used for the longest time if they exceed the limit. Also
    /// removes what killed processes have left: unfinished files, and empty folders.
    private func shrink() {
        // What cannot be listed now is counted next time.
        guard let entries = try? tidiedEntries() else { return count.withLock { $0.written = 0 } }
        var bytes = entries.reduce(0) { $0 + $1.size }
        if bytes > maximumBytes {
            for entry in entries.sorted(by: { ($0.lastUse, $0.path) < ($1.lastUse, $1.path) })
            where bytes > maximumBytes / 8 * 7 {
                guard (try? FilePlace.removeIfPresent(entry.path)) != nil else { continue }
                bytes -= entry.size
            }
        }
        count.withLock { $0 = Count(counted: bytes) }
    }

    private func tidiedEntries() throws(FileFailure) -> [Entry] {
        var entries: [Entry] = []
        for place in try places() {
            for name in try FilePlace.names(in: place).sorted() {
                let path = "\(place)/\(name)"
                guard let file = FilePlace.regularFile(at: path) else { continue }
                if Self.isFile(name) {
                    entries.append(Entry(path: path, size: file.size, lastUse: file.modified))
                } else if Self.isUnfinished(name), file.modified < now() - 3600 {
                    try FilePlace.removeIfPresent(path)
                }
            }
            FilePlace.removeEmptyFolder(place)
            FilePlace.removeEmptyFolder(FilePlace.split(place).folder)
        }
        return entries
    }

    /// The folders of the users of all resources.
    private func places() throws(FileFailure) -> [String] {
        var places: [String] = []
        for first in try names(in: path, count: 2) {
            for resource in try names(in: "\(path)/\(first)") {
                let folder = "\(path)/\(first)/\(resource)"
                places += try names(in: folder).map { "\(folder)/\($0)" }
            }
        }
        return places
    }

    private func paths(in place: String) throws(FileFailure) -> [String] {
        try names(in: place).map { "\(place)/\($0)" }
    }

    /// The names in a folder that are digests, in order. The directory may have other files, which are left alone.
    private func names(in folder: String, count: Int = 64) throws(FileFailure) -> [String] {
        try FilePlace.names(in: folder).filter { Self.isDigits($0, count: count) }.sorted()
    }

    private static func isFile(_ name: String) -> Bool { isDigits(name, count: 64) }

    /// Whether a name is that of an ``AtomicFileWriter``'s temporary file of a response.
    private static func isUnfinished(_ name: String) -> Bool {
        name.hasSuffix(".new") && isDigits(name.prefix(64), count: 64) && name.dropFirst(64).first == "."
    }

    private static func isDigits(_ text: some StringProtocol, count: Int) -> Bool {
        text.utf8.count == count && text.utf8.allSatisfy { $0.hexadecimalValue != nil }
    }
}
