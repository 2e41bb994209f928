// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A regular file, open for reading and writing, with an exclusive lock that other processes also respect. All methods
/// block their thread.
///
/// The file is created if it does not exist, with the permissions that the process's umask leaves. A symbolic link and
/// a file with further hard links are refused, since another user may have put them there. The lock (`flock`) ends with
/// the object, and with the process.
package final class LockedFile {
    /// The path at which the file was opened.
    package let path: String
    /// Whether the file was empty when it was opened.
    package let wasEmpty: Bool
    let descriptor: Int32

    /// Opens and locks a file.
    ///
    /// - Parameter target: The path that the file is moved to in the end. A process that was killed during the move has
    ///   left it at both paths, and a new file is needed.
    /// - Throws: ``FileFailure``, of the kind `inUse` if another object or process has the lock.
    package static func make(at path: String, movingTo target: String? = nil) throws(FileFailure) -> LockedFile {
        // Between opening and locking, the former holder of the lock may rename or remove the file.
        for _ in 0..<100 {
            let file = try LockedFile(path)
            guard file.isStillAtPath else { continue }
            guard try file.isComplete(at: target) else { return file }
            file.removeName()
        }
        throw FileFailure(errorNumber: EWOULDBLOCK)
    }

    private init(_ path: String) throws(FileFailure) {
        // Without `O_NONBLOCK`, opening a named pipe waits for its other end.
        let flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK
        let descriptor = open(path, flags, 0o666)
        if descriptor < 0 { throw FileFailure(errorNumber: errno) }
        do throws(FileFailure) {
            wasEmpty = try Self.lock(descriptor) == 0
        } catch {
            close(descriptor)
            throw error
        }
        self.path = path
        self.descriptor = descriptor
    }

    deinit {
        unlock()
        close(descriptor)
    }

    /// Ends the lock, before the object does. A child process that is being started may still have the descriptor, so
    /// closing it is not enough.
    package func unlock() {
        _ = flock(descriptor, LOCK_UN)
    }

    /// Locks a file, and returns its size.
    private static func lock(_ descriptor: Int32) throws(FileFailure) -> Int {
        var status = stat()
        if fstat(descriptor, &status) != 0 { throw FileFailure(errorNumber: errno) }
        if status.st_mode & S_IFMT != S_IFREG { throw FileFailure("it is not a regular file") }
        if flock(descriptor, LOCK_EX | LOCK_NB) != 0 { throw FileFailure(errorNumber: errno) }
        return Int(status.st_size)
    }

    /// The number of bytes.
    package func size() throws(FileFailure) -> Int {
        var status = stat()
        if fstat(descriptor, &status) != 0 { throw FileFailure(errorNumber: errno) }
        return max(0, Int(status.st_size))
    }

    /// Writes bytes at an offset.
    ///
    /// - Throws: ``FileFailure``. A part of the bytes may have been written then.
    package func put(_ bytes: UnsafeRawBufferPointer, at place: Int) throws(FileFailure) {
        try FileBytes.put(bytes, at: place, of: descriptor)
    }

    /// Reads bytes at an offset; fewer than the buffer's only at the end of the file.
    ///
    /// - Returns: The number of bytes.
    package func take(into buffer: UnsafeMutableRawBufferPointer, at place: Int) throws(FileFailure) -> Int {
        var filled = 0
        while filled < buffer.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
            let count = pread(descriptor, rest.baseAddress, rest.count, off_t(place + filled))
            if count < 0, errno != EINTR { throw FileFailure(errorNumber: errno) }
            if count == 0 { break }
            filled += max(count, 0)
        }
        return filled
    }

    /// Truncates the file, or extends it with zeros, to a number of bytes.
    package func resize(to count: Int) throws(FileFailure) {
        try FileBytes.resize(descriptor, to: count)
    }

    /// Flushes the content to the disk (`fsync`).
    package func synchronize() throws(FileFailure) {
        try FileBytes.synchronize(descriptor)
    }
}
