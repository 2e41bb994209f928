// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A writer that replaces a file atomically: at any time, there is either the whole old or the whole new file. All
/// methods block their thread.
///
/// The content is written to a temporary file in the same folder, which by default only its owner can open. Once it is
/// flushed to the disk, that file is renamed. The old file is never written to, so a symbolic link is replaced and not
/// followed.
package struct AtomicFileWriter: ~Copyable {
    private let path: String
    private let temporaryPath: String
    private let descriptor: Int32
    private var count = 0
    private var isCommitted = false

    /// Opens a temporary file with a unique name, so that several processes can write the same file.
    ///
    /// - Parameter isPrivate: Whether only the owner can open the new file; otherwise it has the permissions that the
    ///   process's umask leaves.
    package init(of path: String, isPrivate: Bool = true) throws(FileFailure) {
        let name = String(UInt64.random(in: 0 ... .max), radix: 36)
        try self.init(of: path, temporaryPath: "\(path).\(name).new", isPrivate: isPrivate)
    }

    /// Opens a temporary file, which must not exist.
    private init(of path: String, temporaryPath: String, isPrivate: Bool = true) throws(FileFailure) {
        let mode: mode_t = isPrivate ? 0o600 : 0o666
        let descriptor = open(temporaryPath, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
        if descriptor < 0 { throw FileFailure(errorNumber: errno) }
        self.path = path
        self.temporaryPath = temporaryPath
        self.descriptor = descriptor
    }

    deinit {
        defer { close(descriptor) }
        if !isCommitted, FileBytes.isSame(descriptor, temporaryPath) { unlink(temporaryPath) }
    }

    /// Replaces a file that several processes may write.
    package static func replace(_ path: String, with bytes: [UInt8], isPrivate: Bool = true) throws(FileFailure) {
        var writer = try AtomicFileWriter(of: path, isPrivate: isPrivate)
        try writer.write(bytes)
        try writer.commit()
        FilePlace.synchronizeFolder(of: path)
    }

    /// Replaces a file that several processes may write, and that may be damaged by a crash of the system: nothing is
    /// flushed to the disk.
    package static func replaceVolatile(_ path: String, with bytes: [UInt8]) throws(FileFailure) {
        var writer = try AtomicFileWriter(of: path)
        try writer.write(bytes)
        try writer.rename()
    }

    /// Creates a file.
    ///
    /// - Throws: ``FileFailure``, of the kind `exists` if there is one of that name.
    package static func create(_ path: String, with bytes: [UInt8], isPrivate: Bool = true) throws(FileFailure) {
        var writer = try AtomicFileWriter(of: path, isPrivate: isPrivate)
        try writer.write(bytes)
        try FileBytes.synchronize(writer.descriptor)
        try writer.checkTemporaryPath()
        try FilePlace.move(writer.temporaryPath, toNew: path)
        writer.isCommitted = true
    }

    /// Replaces a file that this process alone writes. Its temporary file always has the same name, so that killed
    /// processes leave at most one. After a crash of the system, the old file may be there again.
    package static func replaceOwn(_ path: String, with bytes: [UInt8]) throws(FileFailure) {
        let temporaryPath = path + ".new"
        // The file that an earlier process has left.
        unlink(temporaryPath)
        var writer = try AtomicFileWriter(of: path, temporaryPath: temporaryPath)
        try writer.write(bytes)
        try writer.commit()
    }

    /// Appends to the new file.
    package mutating func write(_ bytes: [UInt8]) throws(FileFailure) {
        // `withUnsafeBytes` loses the type of a thrown error.
        let result = bytes.withUnsafeBytes { bytes in
            Result { () throws(FileFailure) in try FileBytes.put(bytes, at: count, of: descriptor) }
        }
        try result.get()
        count += bytes.count
    }

    /// Flushes the new file to the disk, and then renames it to the old file's name.
    package mutating func commit() throws(FileFailure) {
        try FileBytes.synchronize(descriptor)
        try rename()
    }

    private mutating func rename() throws(FileFailure) {
        try checkTemporaryPath()
        if Foundation.rename(temporaryPath, path) != 0 { throw FileFailure(errorNumber: errno) }
        isCommitted = true
    }

    /// Another process that regards the file as its own replaces the temporary file with one that is half written.
    private func checkTemporaryPath() throws(FileFailure) {
        if try FilePlace.occupant(of: temporaryPath) == .nothing { throw FileFailure(errorNumber: ENOENT) }
        if !FileBytes.isSame(descriptor, temporaryPath) { throw FileFailure("another process writes it, too") }
    }
}
