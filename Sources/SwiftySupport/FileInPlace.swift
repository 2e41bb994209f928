// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Overwrites a small file in place, for a disk that is full: ``AtomicFileWriter`` needs room for another file.
package enum FileInPlace {
    /// Overwrites a file of this process, and truncates it after the new content. It blocks its thread.
    ///
    /// It needs no more room on the disk as long as the new content fits into the file's blocks, which hold at least
    /// the old content. A crash of the system in between may leave a damaged file.
    ///
    /// - Throws: ``FileFailure``, including for a path to a symbolic link, or to anything but a regular file.
    package static func overwrite(_ path: String, with bytes: [UInt8]) throws(FileFailure) {
        let descriptor = open(path, O_WRONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        if descriptor < 0 { throw FileFailure(errorNumber: errno) }
        defer { close(descriptor) }
        var status = stat()
        if fstat(descriptor, &status) != 0 { throw FileFailure(errorNumber: errno) }
        if status.st_mode & S_IFMT != S_IFREG { throw FileFailure("it is not a regular file") }
        // `withUnsafeBytes` loses the type of a thrown error.
        let result = bytes.withUnsafeBytes { bytes in
            Result { () throws(FileFailure) in try FileBytes.put(bytes, at: 0, of: descriptor) }
        }
        try result.get()
        try FileBytes.resize(descriptor, to: bytes.count)
        try FileBytes.synchronize(descriptor)
    }
}
