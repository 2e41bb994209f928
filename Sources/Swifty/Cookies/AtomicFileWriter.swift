// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A writer that replaces a file atomically: at any time, there is either the whole old or the whole new file.
///
/// The content is written to a temporary file in the same folder, which only its owner can open. When it has reached
/// the disk, that file is renamed. The old file is never written to, so a symbolic link is replaced and not followed.
struct AtomicFileWriter: ~Copyable {
    private let path: String
    private let temporaryPath: String
    private let descriptor: Int32
    private var isCommitted = false

    /// Opens the new file, readable and writable by its owner only.
    init(of path: String) throws(CookieJar.FileError) {
        let temporaryPath = "\(path).\(String(UInt64.random(in: 0 ... .max), radix: 36)).new"
        let descriptor = open(temporaryPath, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        if descriptor < 0 { throw Self.error(path) }
        self.path = path
        self.temporaryPath = temporaryPath
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
        if !isCommitted { unlink(temporaryPath) }
    }

    /// Replaces the file with the bytes.
    static func replace(_ path: String, with bytes: [UInt8]) throws(CookieJar.FileError) {
        var writer = try AtomicFileWriter(of: path)
        try writer.write(bytes)
        try writer.synchronize()
        try writer.commit()
    }

    /// Appends to the new file.
    func write(_ bytes: [UInt8]) throws(CookieJar.FileError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Self.write(descriptor, $0) }
            if count < 0, errno != EINTR { throw Self.error(path) }
            rest = rest.dropFirst(max(count, 0))
        }
    }

    /// Returns when the new file's content has reached the disk.
    func synchronize() throws(CookieJar.FileError) {
        if fsync(descriptor) != 0 { throw Self.error(path) }
    }

    /// Renames the new file to the old one's name.
    mutating func commit() throws(CookieJar.FileError) {
        if rename(temporaryPath, path) != 0 { throw Self.error(path) }
        isCommitted = true
        synchronizeFolder()
    }

    /// Brings the new name to the disk, if the folder can be synchronized.
    private func synchronizeFolder() {
        let slash = path.lastIndex(of: "/")
        let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        if descriptor < 0 { return }
        fsync(descriptor)
        close(descriptor)
    }

    private static func error(_ path: String) -> CookieJar.FileError {
        CookieJar.FileError(.unwritable, path: path, reason: String(cString: strerror(errno)))
    }

    private static func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
        #if canImport(Glibc)
        Glibc.write(descriptor, bytes.baseAddress, bytes.count)
        #elseif canImport(Musl)
        Musl.write(descriptor, bytes.baseAddress, bytes.count)
        #else
        Darwin.write(descriptor, bytes.baseAddress, bytes.count)
        #endif
    }
}
