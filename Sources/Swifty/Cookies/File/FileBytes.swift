// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Reads a whole regular file.
enum FileBytes {
    /// More than any file has that is read here.
    private static let maximum = 64 << 20

    /// The file's bytes; `nil` if there is none.
    ///
    /// - Throws: ``CookieFileError``; `unreadable` for what is no regular file, and for a symbolic link unless followed.
    static func read(_ path: String, followsLinks: Bool) throws(CookieFileError) -> [UInt8]? {
        // Without O_NONBLOCK, opening a named pipe would wait for somebody to write to it.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | (followsLinks ? 0 : O_NOFOLLOW))
        if descriptor < 0 {
            if errno == ENOENT { return nil }
            throw CookieFileError(
                .unreadable,
                path: path,
                reason: errno == ELOOP ? "it is a symbolic link" : systemReason()
            )
        }
        defer { close(descriptor) }
        let size = try size(of: descriptor, path)
        return try read(size, from: descriptor, path)
    }

    static func systemReason() -> String {
        String(cString: strerror(errno))
    }

    private static func size(of descriptor: Int32, _ path: String) throws(CookieFileError) -> Int {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw CookieFileError(.unreadable, path: path, reason: "it is not a regular file")
        }
        guard status.st_size <= maximum else {
            throw CookieFileError(.unreadable, path: path, reason: "it is larger than \(maximum >> 20) MiB")
        }
        return Int(status.st_size)
    }

    private static func read(_ size: Int, from descriptor: Int32, _ path: String) throws(CookieFileError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: size)
        var filled = 0
        while filled < size {
            let count = bytes.withUnsafeMutableBytes { buffer in
                // Safety: the pointer is inside of the buffer, which has `size - filled` bytes from there on.
                Self.read(descriptor, buffer.baseAddress.map { $0 + filled }, size - filled)
            }
            if count == 0 { break }
            if count < 0, errno != EINTR { throw CookieFileError(.unreadable, path: path, reason: systemReason()) }
            filled += max(count, 0)
        }
        return Array(bytes.prefix(filled))
    }

    private static func read(_ descriptor: Int32, _ start: UnsafeMutableRawPointer?, _ count: Int) -> Int {
        #if canImport(Glibc)
        Glibc.read(descriptor, start, count)
        #elseif canImport(Musl)
        Musl.read(descriptor, start, count)
        #else
        Darwin.read(descriptor, start, count)
        #endif
    }
}
