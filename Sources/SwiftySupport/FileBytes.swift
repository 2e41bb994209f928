// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The system calls that read and write an open file. All functions block their thread.
enum FileBytes {
    /// Reads the available bytes, at most as many as the buffer has, with one system call.
    ///
    /// - Returns: The number of bytes, 0 at the end; negative after an error, whose number is in `errno`.
    static func take(into buffer: UnsafeMutableRawBufferPointer, from descriptor: Int32) -> Int {
        read(descriptor, buffer.baseAddress, buffer.count)
    }

    /// Writes bytes at an offset.
    ///
    /// - Throws: ``FileFailure``. A part of the bytes may have been written then.
    static func put(_ bytes: UnsafeRawBufferPointer, at place: Int, of descriptor: Int32) throws(FileFailure) {
        try checkSize(place + bytes.count)
        var written = 0
        while written < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
            let count = pwrite(descriptor, rest.baseAddress, rest.count, off_t(place + written))
            if count < 0, errno != EINTR { throw FileFailure(errorNumber: errno) }
            written += max(count, 0)
        }
    }

    /// Truncates a file, or extends it with zeros, to a number of bytes.
    static func resize(_ descriptor: Int32, to count: Int) throws(FileFailure) {
        try checkSize(count)
        while ftruncate(descriptor, off_t(count)) != 0 {
            if errno != EINTR { throw FileFailure(errorNumber: errno) }
        }
    }

    /// Flushes the content to the disk (`fsync`).
    static func synchronize(_ descriptor: Int32) throws(FileFailure) {
        while fsync(descriptor) != 0 {
            if errno != EINTR { throw FileFailure(errorNumber: errno) }
        }
    }

    /// Whether a path leads to an open file itself, and not to a symbolic link to it.
    static func isSame(_ descriptor: Int32, _ path: String) -> Bool {
        var (own, other) = (stat(), stat())
        guard fstat(descriptor, &own) == 0, lstat(path, &other) == 0 else { return false }
        return own.st_ino == other.st_ino && own.st_dev == other.st_dev
    }

    /// Fails if the process may not make so large a file (`RLIMIT_FSIZE`): the system would end it with a signal.
    private static func checkSize(_ size: Int) throws(FileFailure) {
        var limit = rlimit()
        #if canImport(Glibc)
        let result = getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
        #else
        let result = getrlimit(RLIMIT_FSIZE, &limit)
        #endif
        if result == 0, limit.rlim_cur < UInt64(max(size, 0)) { throw FileFailure(errorNumber: EFBIG) }
    }
}
