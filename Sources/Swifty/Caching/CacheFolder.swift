// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import SwiftySupport
import Synchronization

/// The responses on the disk, in a folder that several processes may share.
///
/// One file is one response, `ab/RESOURCE/PARTITION-VARIANT`, named by digests. A file is written beside its place and
/// then renamed, so a reader finds a whole one or none; the checksum finds what the disk has damaged. There is no
/// index: what is in the folder is what is stored. Changes are made on one queue, in their order.
final class CacheFolder: Sendable {
    /// The bytes that may wait to be written; a response beyond that is not stored.
    private static let maximumPendingBytes = 32 << 20
    /// How long nothing is written after a failure, in seconds.
    private static let pause = 60.0

    private struct State {
        /// The number of changes of a resource that are not made yet. Its files are not read meanwhile.
        var pending: [CacheDigest: Int] = [:]
        var pendingBytes = 0
        /// The number of removals of everything that are not made yet. Nothing is read meanwhile.
        var pendingRemovals = 0
        /// The number of bytes in the folder, as far as this process knows; `nil` until it has counted.
        var bytes: Int?
        var failures = 0
        var latestFailure: FileFailure?
        /// Nothing is written before this time.
        var resumption = -Double.infinity
    }

    let path: String
    private let maximumBytes: Int
    private let changes = DispatchQueue(label: "swifty.cache.changes", qos: .utility)
    private let reads = DispatchQueue(label: "swifty.cache.reads", attributes: .concurrent)
    private let now: @Sendable () -> Double
    private let state = Mutex(State())

    /// - Throws: ``FileFailure`` if the folder cannot be made or written, or if other users may write to it.
    init(path: String, maximumBytes: Int, now: @escaping @Sendable () -> Double) throws(FileFailure) {
        try FilePlace.makePrivateFolder(path)
        (self.path, self.maximumBytes, self.now) = (path, maximumBytes, now)
    }

    /// The newest stored response that may answer a request.
    nonisolated(nonsending) func response(to request: NetworkRequest, _ key: CacheKey) async -> StoredResponse? {
        if state.withLock({ $0.pendingRemovals > 0 || $0.pending[key.resource] != nil }) { return nil }
        return await reads.value { [self] in read(key, request) }
    }

    /// Stores a response in place of the one with the same variant, later.
    func store(_ response: StoredResponse, _ key: CacheKey, at now: Double) {
        let isAccepted = state.withLock { state in
            guard state.resumption <= now, state.pendingBytes + response.size <= Self.maximumPendingBytes
            else { return false }
            state.pendingBytes += response.size
            return true
        }
        // The old file must not stay the stored one.
        if !isAccepted { return remove(key, response.variant) }
        change(key.resource) { folder in
            defer { folder.state.withLock { $0.pendingBytes -= response.size } }
            folder.write(response, key)
        }
    }

    /// Removes one variant, later.
    func remove(_ key: CacheKey, _ variant: CacheVariant) {
        change(key.resource) { folder in FilePlace.remove(folder.file(of: key, variant)) }
    }

    /// Removes all responses of a resource, later.
    func remove(_ resource: CacheDigest) {
        change(resource) { folder in
            let place = folder.place(of: resource)
            for name in FilePlace.names(in: place) where Self.isFile(name) { FilePlace.remove("\(place)/\(name)") }
        }
    }

    /// From now on nothing is read, until ``removeAll()`` has removed everything.
    func beginRemoval() {
        state.withLock { $0.pendingRemovals += 1 }
    }

    /// Removes all responses, and returns when that is done. Called after ``beginRemoval()``.
    nonisolated(nonsending) func removeAll() async {
        await changes.value { [self] in
            for file in files() { FilePlace.remove(file.path) }
            state.withLock { ($0.bytes, $0.pendingRemovals) = (nil, $0.pendingRemovals - 1) }
        }
    }

    /// Returns when all changes so far are made.
    nonisolated(nonsending) func flush() async {
        await changes.value {}
    }

    /// The number of failures to write, and the latest one.
    var failures: (count: Int, latest: FileFailure?) { state.withLock { ($0.failures, $0.latestFailure) } }

    private func change(_ resource: CacheDigest, _ change: @escaping @Sendable (CacheFolder) -> Void) {
        state.withLock { $0.pending[resource, default: 0] += 1 }
        changes.run { [self] in
            change(self)
            state.withLock { state in
                let rest = (state.pending[resource] ?? 1) - 1
                state.pending[resource] = rest > 0 ? rest : nil
            }
        }
    }

    private func place(of resource: CacheDigest) -> String {
        let name = resource.hexadecimal
        return "\(path)/\(name.prefix(2))/\(name)"
    }

    private func file(of key: CacheKey, _ variant: CacheVariant) -> String {
        "\(place(of: key.resource))/\(key.partition.hexadecimal)-\(variant.digest.hexadecimal)"
    }
}

// MARK: Blocking work

extension CacheFolder {
    private func read(_ key: CacheKey, _ request: NetworkRequest) -> StoredResponse? {
        let place = place(of: key.resource)
        let prefix = key.partition.hexadecimal + "-"
        var newest: (response: StoredResponse, file: String)?
        for name in FilePlace.names(in: place) where name.hasPrefix(prefix) && Self.isFile(name) {
            let file = "\(place)/\(name)"
            guard let response = read(file), response.variant.matches(request) else { continue }
            let received = newest?.response.times.received ?? -.infinity
            if response.times.received > received { newest = (response, file) }
        }
        guard let newest else { return nil }
        FilePlace.touch(newest.file)
        return newest.response
    }

    private func read(_ file: String) -> StoredResponse? {
        guard let bytes = try? FileContent.read(file, as: .regularWithoutLink(maximum: maximumBytes))
        else { return nil }
        if let response = StoredResponse(encoded: Array(bytes)) { return response }
        FilePlace.remove(file)
        return nil
    }

    private func write(_ response: StoredResponse, _ key: CacheKey) {
        let bytes = response.encoded
        do throws(FileFailure) {
            try write(bytes, to: file(of: key, response.variant))
            state.withLock { if let count = $0.bytes { $0.bytes = count + bytes.count } }
            limitVariants(of: key, keeping: response.variant)
        } catch {
            FilePlace.remove(file(of: key, response.variant))
            let resumption = now() + Self.pause
            return state.withLock { state in
                state.failures += 1
                (state.latestFailure, state.resumption) = (error, resumption)
            }
        }
        if state.withLock({ $0.bytes ?? .max }) > maximumBytes { shrink() }
    }

    /// Writes a file in its folder, which another process may remove meanwhile, since it is empty.
    private func write(_ bytes: [UInt8], to file: String, attempts: Int = 5) throws(FileFailure) {
        let place = FilePlace.split(file).folder
        do throws(FileFailure) {
            try FilePlace.makePrivateFolder(FilePlace.split(place).folder)
            try FilePlace.makePrivateFolder(place)
            try AtomicFileWriter.replaceVolatile(file, with: bytes)
        } catch {
            guard error.isMissing, attempts > 1 else { throw error }
            try write(bytes, to: file, attempts: attempts - 1)
        }
    }

    /// Removes the oldest variant of a resource if there are too many: a search reads all of them.
    private func limitVariants(of key: CacheKey, keeping new: CacheVariant) {
        let place = place(of: key.resource)
        let others = FilePlace.names(in: place)
            .filter { $0.hasPrefix(key.partition.hexadecimal) && Self.isFile($0) }
            .map { "\(place)/\($0)" }
            .filter { $0 != file(of: key, new) }
        guard others.count >= CacheMemory.maximumVariants else { return }
        if let oldest = others.min(by: { lastUse(of: $0) < lastUse(of: $1) }) { FilePlace.remove(oldest) }
    }

    /// The time of a file's last use; that of a file that is gone is before all others.
    private func lastUse(of file: String) -> Int { FilePlace.regularFile(at: file)?.modified ?? .min }

    /// Counts the files, and removes those that were not used for the longest time if they exceed the limit.
    private func shrink() {
        let files = files()
        var bytes = files.reduce(0) { $0 + $1.size }
        if bytes > maximumBytes {
            for file in files.sorted(by: { $0.used < $1.used }) where bytes > maximumBytes / 8 * 7 {
                FilePlace.remove(file.path)
                bytes -= file.size
            }
        }
        state.withLock { $0.bytes = bytes }
    }

    /// All files, without those that killed processes have left unfinished, which are removed, as empty folders are.
    private func files() -> [(path: String, size: Int, used: Int)] {
        var files: [(path: String, size: Int, used: Int)] = []
        for place in places() {
            let names = FilePlace.names(in: place)
            if names.isEmpty { FilePlace.removeEmptyFolder(place) }
            for name in names {
                guard Self.isFile(name.prefix(129)), let file = FilePlace.regularFile(at: "\(place)/\(name)")
                else { continue }
                if Self.isFile(name) {
                    files.append(("\(place)/\(name)", file.size, file.modified))
                } else if name.hasSuffix(".new"), Double(file.modified) < now() - 3600 {
                    FilePlace.remove("\(place)/\(name)")
                }
            }
        }
        return files
    }

    /// The folders of the resources. The directory may have other files, which are left alone.
    private func places() -> [String] {
        FilePlace.names(in: path).filter { Self.isDigits($0, count: 2) }.flatMap { first in
            FilePlace.names(in: "\(path)/\(first)").filter { Self.isDigits($0, count: 64) }
                .map { "\(path)/\(first)/\($0)" }
        }
    }

    /// Whether a name is that of a stored response: two digests.
    private static func isFile(_ name: some StringProtocol) -> Bool {
        let parts = name.split(separator: "-", omittingEmptySubsequences: false)
        return parts.count == 2 && parts.allSatisfy { isDigits($0, count: 64) }
    }

    private static func isDigits(_ text: some StringProtocol, count: Int) -> Bool {
        text.utf8.count == count && text.utf8.allSatisfy { $0.hexadecimalValue != nil }
    }
}
