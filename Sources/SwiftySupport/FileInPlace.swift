// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Writes a small file where it is, for a disk that is full: ``AtomicFileWriter`` needs room for another file.
package enum FileInPlace {
    /// Overwrites a file of this process, and cuts it behind the new content. It blocks its thread.
    ///
    /// It needs no room on the disk for as many bytes as the file's blocks have, which are at least those it had. A
    /// crash of the system in between may leave a damaged file.
    ///
    /// - Throws: ``FileFailure``, also if there is no regular file, or a symbolic link.
    package static func overwrite(_ path: String, with bytes: [UInt8]) throws(FileFailure) {
        let descriptor = open(path, O_WRONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        if descriptor < 0 { throw FileFailure(errorNumber: errno) }
        defer { close(descriptor) }
        var status = stat()
        if fstat(descriptor, &status) != 0 { throw FileFailure(errorNumber: errno) }
        if status.st_mode & S_IFMT != S_IFREG { throw FileFailure("it is not a regular file") }
        // `withUnsafeBytes` does not pass a typed error on.
        let result = bytes.withUnsafeBytes { bytes in
            Result { () throws(FileFailure) in try FileBytes.put(bytes, at: 0, of: descriptor) }
        }
        try result.get()
        try FileBytes.resize(descriptor, to: bytes.count)
        try FileBytes.synchronize(descriptor)
    }
}
