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
        let matching = paths(in: place(of: key.partition, key.resource)).compactMap { path in
            beginning(of: path).map { (path: path, beginning: $0) }
        }.filter { $0.beginning.variant.matches(request) }
        for match in matching.sorted(by: { $0.beginning.times.received > $1.beginning.times.received }) {
            guard let response = response(in: match.path) else { continue }
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
        if content == nil { FilePlace.remove(path) }
        return content
    }
}

// MARK: Changes

extension CacheFiles {
    /// Makes the changes of a resource.
    ///
    /// - Returns: The failure to write the last file that could not be written; `nil` for none.
    func make(_ batch: FolderChanges.Batch, of resource: CacheDigest) -> FileFailure? {
        if batch.removesAll { removeAll(of: resource) }
        var failure: FileFailure?
        let files = batch.files.map { ("\(place(of: $0.partition, resource))/\($0.variant.hexadecimal)", $1) }
        for (path, change) in files.sorted(by: { $0.0 < $1.0 }) {
            do throws(FileFailure) {
                if case .store(let response) = change { try store(response, at: path) } else { FilePlace.remove(path) }
            } catch {
                failure = error
                FilePlace.remove(path)
            }
        }
        let count = count.withLock { $0 }
        if count.counted ?? .max > maximumBytes || count.written > maximumBytes / 16 { shrink() }
        return failure
    }

    /// Removes all files.
    func removeAll() {
        for place in places() {
            remove(in: place)
            FilePlace.removeEmptyFolder(FilePlace.split(place).folder)
        }
        count.withLock { $0 = Count() }
    }

    private func removeAll(of resource: CacheDigest) {
        let place = place(of: resource)
        for name in names(in: place) { remove(in: "\(place)/\(name)") }
        FilePlace.removeEmptyFolder(place)
    }

    private func remove(in place: String) {
        for path in paths(in: place) { FilePlace.remove(path) }
        FilePlace.removeEmptyFolder(place)
    }

    private func store(_ response: StoredResponse, at path: String) throws(FileFailure) {
        let bytes = response.encoded
        try write(bytes, to: path)
        FilePlace.touch(path, at: now())
        count.withLock { count in
            count.written += bytes.count
            count.counted? += bytes.count
        }
        limitVariants(beside: path)
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

    private func makeFolders(of path: String) throws(FileFailure) {
        let partition = FilePlace.split(path).folder
        let resource = FilePlace.split(partition).folder
        for folder in [FilePlace.split(resource).folder, resource, partition] {
            try FilePlace.makePrivateFolder(folder)
        }
    }

    /// Removes the variant that was not used for the longest time if there are too many: a search reads all of them.
    private func limitVariants(beside path: String) {
        let others = paths(in: FilePlace.split(path).folder).filter { $0 != path }
        guard others.count >= CacheMemory.maximumVariants else { return }
        // A file that is gone is before all others.
        let oldest = others.min { lastUse(of: $0) ?? -.infinity < lastUse(of: $1) ?? -.infinity }
        if let oldest { FilePlace.remove(oldest) }
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

    /// Counts the files, and removes those that were not used for the longest time if they exceed the limit.
    private func shrink() {
        let entries = entries()
        var bytes = entries.reduce(0) { $0 + $1.size }
        if bytes > maximumBytes {
            for entry in entries.sorted(by: { ($0.lastUse, $0.path) < ($1.lastUse, $1.path) })
            where bytes > maximumBytes / 8 * 7 {
                FilePlace.remove(entry.path)
                bytes -= entry.size
            }
        }
        count.withLock { $0 = Count(counted: bytes) }
    }

    /// All files. What killed processes have left unfinished is removed, as empty folders are.
    private func entries() -> [Entry] {
        places().flatMap { place in
            removeUnfinished(in: place)
            let paths = paths(in: place)
            if paths.isEmpty { FilePlace.removeEmptyFolder(place) }
            return paths.compactMap { path in
                FilePlace.regularFile(at: path).map { Entry(path: path, size: $0.size, lastUse: $0.modified) }
            }
        }
    }

    private func removeUnfinished(in place: String) {
        for name in FilePlace.names(in: place) where name.hasSuffix(".new") && Self.isDigits(name.prefix(64), count: 64)
        {
            let path = "\(place)/\(name)"
            if let lastUse = lastUse(of: path), lastUse < now() - 3600 { FilePlace.remove(path) }
        }
    }

    /// The folders of the users of all resources. Empty folders of resources are removed.
    private func places() -> [String] {
        names(in: path, count: 2).flatMap { first in
            names(in: "\(path)/\(first)").flatMap { resource in
                let folder = "\(path)/\(first)/\(resource)"
                let partitions = names(in: folder)
                if partitions.isEmpty { FilePlace.removeEmptyFolder(folder) }
                return partitions.map { "\(folder)/\($0)" }
            }
        }
    }

    private func paths(in place: String) -> [String] { names(in: place).map { "\(place)/\($0)" } }

    /// The names in a folder that are digests, in order. The directory may have other files, which are left alone.
    private func names(in folder: String, count: Int = 64) -> [String] {
        FilePlace.names(in: folder).filter { Self.isDigits($0, count: count) }.sorted()
    }

    private static func isDigits(_ text: some StringProtocol, count: Int) -> Bool {
        text.utf8.count == count && text.utf8.allSatisfy { $0.hexadecimalValue != nil }
    }
}
