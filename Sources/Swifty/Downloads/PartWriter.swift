// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

import struct Foundation.Data

/// The part of the content that has arrived, in a file next to the target, and its record. All methods block their
/// thread.
final class PartWriter {
    let file: LockedFile
    private let recordPath: String
    private let policy: DownloadPolicy
    private(set) var record: DownloadRecord
    /// The number of bytes from the beginning of the content that are in the file, and may not be flushed yet.
    private(set) var length = 0
    /// The number of bytes that have been written since the last checkpoint.
    private var unflushedCount = 0
    /// The computation of the digest, once it is needed.
    private var hasher: SHA256.Hasher?
    private var lastCheckpoint = ContinuousClock.now
    /// Whether the file has content of this call; before that, it may have earlier content that a failure must not
    /// touch.
    private var isOwn = false

    /// Opens and locks the part, and restores what an earlier call for the same URL has left if that is to be
    /// continued.
    ///
    /// - Parameter target: The path of the whole file; `nil` if the response names it.
    init(at path: String, of target: String?, key: String, policy: DownloadPolicy) throws(FileFailure) {
        file = try LockedFile.make(at: path, movingTo: target)
        recordPath = path + ".json"
        self.policy = policy
        record = DownloadRecord(url: key)
        guard policy.continuesEarlier, let earlier = DownloadRecord.read(recordPath), earlier.url == key,
            earlier.validator != nil,
            try file.size() >= earlier.length
        else { return }
        record = earlier
        length = earlier.length
        hasher = earlier.hash.flatMap { SHA256.Hasher(encoded: [UInt8]($0)) }
        if hasher?.count != length { hasher = nil }
    }

    /// Begins with an empty file. The record goes first: an old one must never describe new content.
    func begin(_ newRecord: DownloadRecord) throws(FileFailure) {
        record = newRecord
        (record.length, record.hash) = (0, nil)
        (length, hasher, unflushedCount, isOwn) = (0, nil, 0, true)
        try writeRecord()
        try file.resize(to: 0)
        lastCheckpoint = .now
    }

    /// Continues after the existing bytes, and truncates what follows them.
    func resume(total: Int, digest: [UInt8]?) throws(FileFailure) {
        isOwn = true
        record.total = total
        if let digest { record.digest = Data(digest) }
        try file.resize(to: length)
    }

    /// Checks that the content is not too large, and that the rest of it fits on the disk.
    func checkSpace(in folder: String) throws(FileFailure) {
        try checkSize(record.total ?? length)
        guard let total = record.total, let free = FilePlace.freeBytes(in: folder), total - length > free else {
            return
        }
        throw FileFailure(errorNumber: FileFailure.noSpace)
    }

    /// Appends chunks of the content, and makes a checkpoint if one is due.
    func append(_ chunks: [Data]) throws(FileFailure) {
        for chunk in chunks {
            try write(chunk)
            chunk.withUnsafeBytes { hasher?.update($0) }
            length += chunk.count
        }
        if isCheckpointDue { try checkpoint() }
    }

    /// Fails if there is more content than the caller allows.
    private func checkSize(_ count: Int) throws(FileFailure) {
        if let maximum = policy.maximumBytes, count > maximum { throw FileFailure(over: maximum) }
    }

    private func write(_ chunk: Data) throws(FileFailure) {
        try checkSize(length + chunk.count)
        if let number = policy.writeFault?(length, chunk.count) { throw FileFailure(errorNumber: number) }
        // `withUnsafeBytes` does not propagate a typed error.
        let result = chunk.withUnsafeBytes { bytes in
            Result { () throws(FileFailure) in try file.put(bytes, at: length) }
        }
        try result.get()
        unflushedCount += chunk.count
    }

    /// Often enough that little is lost, and not so often that a fast download waits for the disk.
    private var isCheckpointDue: Bool {
        let time = ContinuousClock.now - lastCheckpoint
        let interval = policy.checkpointInterval
        return unflushedCount >= 8 << 20 && time >= interval / 4 || unflushedCount > 0 && time >= interval
    }

    /// Flushes the content to the disk, then updates the record.
    func checkpoint() throws(FileFailure) {
        guard unflushedCount > 0 else { return }
        try file.synchronize()
        record.length = length
        record.hash = hasher.map { Data($0.encoded) }
        try writeRecord()
        (lastCheckpoint, unflushedCount) = (.now, 0)
    }

    /// Records another URL of the same content.
    func setKey(_ key: String) throws(FileFailure) {
        record.url = key
        try writeRecord()
    }

    /// Starts hashing, beginning with the bytes already written.
    func startHashing(unless cancellation: LoadCancellation) throws(FileFailure) {
        if hasher != nil { return }
        var hasher = SHA256.Hasher()
        var buffer = [UInt8](repeating: 0, count: 256 << 10)
        while hasher.count < length {
            if cancellation.code != nil { throw .cancelled }
            let wanted = min(buffer.count, length - hasher.count)
            let place = hasher.count
            let result = buffer.withUnsafeMutableBytes { bytes in
                let room = UnsafeMutableRawBufferPointer(rebasing: bytes[..<wanted])
                return Result { () throws(FileFailure) in try file.take(into: room, at: place) }
            }
            guard try result.get() == wanted else { throw FileFailure("it was changed during the download") }
            buffer.withUnsafeBytes { hasher.update(UnsafeRawBufferPointer(rebasing: $0[..<wanted])) }
        }
        self.hasher = hasher
    }

    /// The digest of the bytes so far; `nil` if it is not computed.
    var digest: [UInt8]? { hasher?.finalize() }

    /// Gives the content its final name.
    func commit(to path: String, replacing: Bool) throws(FileFailure) {
        guard try file.size() == length else { throw FileFailure("it was changed during the download") }
        // Checked again here for a part that was complete before this call.
        try checkSize(length)
        try file.synchronize()
        let removeRecord = { [recordPath] in FilePlace.remove(recordPath) }
        if replacing {
            try file.move(replacing: path, removeRecord)
        } else {
            try file.move(toNew: path, removeRecord)
        }
        file.unlock()
    }

    /// Closes the part without complete content.
    ///
    /// - Parameter keeping: Whether the part can be continued later; if not, it is removed.
    func abandon(keeping: Bool) {
        defer { file.unlock() }
        if !isOwn {
            // Nothing arrived in this call. An earlier part stays; an empty part is removed.
            if file.wasEmpty, record.validator == nil { remove() }
        } else if !keeping || length == 0 || record.validator == nil {
            remove()
        } else {
            try? checkpoint()
        }
    }

    /// Writes the record, which must not describe the part of another download: once a part is removed, its lock no
    /// longer keeps others out.
    private func writeRecord() throws(FileFailure) {
        try file.checkPath()
        do throws(FileFailure) {
            if let number = policy.recordFault?() { throw FileFailure(errorNumber: number) }
            try AtomicFileWriter.replaceOwn(recordPath, with: record.encoded)
        } catch {
            guard error.kind == .noSpace else { throw error }
            // A full disk has no room for a new file, but the existing one can be overwritten.
            if (try? FileInPlace.overwrite(recordPath, with: record.encoded)) == nil { throw error }
        }
    }

    /// Removes the part and its record, unless they belong to another download by now.
    private func remove() {
        guard file.isStillAtPath else { return }
        FilePlace.remove(recordPath)
        file.removeName()
    }
}

extension PartWriter {
    /// The number of names that are tried for a file that must be new.
    private static let nameLimit = 10_000

    /// Gives the content its final name in a folder.
    ///
    /// - Returns: The path, whose name has a number if there was a file of that name and both are kept.
    func commit(
        as name: String,
        in target: DownloadTarget,
        _ existing: DownloadPolicy.ExistingFile
    ) throws(FileFailure) -> String {
        let path = target.path(of: name)
        guard existing == .keepBoth else {
            try commit(to: path, replacing: existing == .replace)
            return path
        }
        for number in 0..<Self.nameLimit {
            let candidate = number == 0 ? path : target.path(of: DownloadFileName.numbered(name, number))
            do throws(FileFailure) {
                try commit(to: candidate, replacing: false)
                return candidate
            } catch {
                guard error.kind == .exists else { throw error }
            }
        }
        throw FileFailure(errorNumber: FileFailure.exists)
    }
}
