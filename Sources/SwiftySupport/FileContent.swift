// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

package import struct Foundation.Data

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Reads whole files. It blocks its thread.
package struct FileContent: ~Copyable {
    /// The kind of files that are accepted.
    package enum Kind {
        /// Anything with an end, including pipes and devices.
        case any
        /// A regular file of at most `maximum` bytes.
        case regular(maximum: Int)
        /// As `regular`, but not through a symbolic link.
        case regularWithoutLink(maximum: Int)
    }

    private let kind: Kind
    private let descriptor: Int32
    private let size: Int

    /// The content of a file.
    package static func read(_ path: String, as kind: Kind = .any) throws(UnreadableFile) -> Data {
        try FileContent(path, kind).readAll()
    }

    /// The error of opening a regular file; `nil` if it can be read.
    package static func error(reading path: String) -> UnreadableFile? {
        do throws(UnreadableFile) {
            _ = try FileContent(path, .regular(maximum: .max))
            return nil
        } catch {
            return error
        }
    }

    private init(_ path: String, _ kind: Kind) throws(UnreadableFile) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | kind.openFlags)
        if descriptor < 0 { throw kind.failure(toOpen: errno) }
        do throws(UnreadableFile) {
            size = try kind.size(of: descriptor)
        } catch {
            close(descriptor)
            throw error
        }
        self.kind = kind
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }

    /// Reads into one byte more than the size of the file, so that its end is found without growing the buffer.
    private func readAll() throws(UnreadableFile) -> Data {
        var data = Data(count: size + 1)
        var filled = 0
        while true {
            if filled == data.count { data.count += max(filled, 64 << 10) }
            let count = data.withUnsafeMutableBytes { bytes in
                FileBytes.take(into: UnsafeMutableRawBufferPointer(rebasing: bytes[filled...]), from: descriptor)
            }
            if count < 0, errno != EINTR { throw UnreadableFile(errorNumber: errno) }
            if count == 0 { break }
            filled += max(count, 0)
            try kind.check(filled)
        }
        data.count = filled
        return data
    }
}

extension FileContent.Kind {
    /// Without `O_NONBLOCK`, opening a named pipe waits for a writer.
    fileprivate var openFlags: Int32 {
        switch self {
        case .any: 0
        case .regular: O_NONBLOCK
        case .regularWithoutLink: O_NONBLOCK | O_NOFOLLOW
        }
    }

    fileprivate func failure(toOpen number: Int32) -> UnreadableFile {
        if case .regularWithoutLink = self, number == ELOOP { return UnreadableFile("it is a symbolic link") }
        return UnreadableFile(errorNumber: number)
    }

    /// The size of a regular file; 0 for anything else.
    fileprivate func size(of descriptor: Int32) throws(UnreadableFile) -> Int {
        var status = stat()
        if fstat(descriptor, &status) != 0 { throw UnreadableFile(errorNumber: errno) }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: throw UnreadableFile(errorNumber: EISDIR)
        case S_IFREG: break
        default: if maximum != nil { throw UnreadableFile("it is not a regular file") } else { return 0 }
        }
        let size = max(0, Int(status.st_size))
        try check(size)
        return size
    }

    fileprivate func check(_ size: Int) throws(UnreadableFile) {
        guard let maximum, size > maximum else { return }
        throw UnreadableFile("it is larger than \(maximum >> 20) MiB")
    }

    private var maximum: Int? {
        switch self {
        case .any: nil
        case .regular(let maximum), .regularWithoutLink(let maximum): maximum
        }
    }
}

/// The error of a file that cannot be read.
package struct UnreadableFile: Error, Equatable {
    /// The system's error number, such as `ENOENT`; `nil` if the file is not regular, too large, or a symbolic link.
    package let errorNumber: Int32?
    /// The reason, as a sentence to follow "the file cannot be read:".
    package let reason: String

    /// Makes an error from the system's error number.
    package init(errorNumber: Int32) {
        self.errorNumber = errorNumber
        reason = Self.words(errorNumber)
    }

    init(_ reason: String) {
        errorNumber = nil
        self.reason = reason
    }

    /// Whether there is no such file.
    package var isMissing: Bool { errorNumber == ENOENT }

    private static func words(_ errorNumber: Int32) -> String {
        switch errorNumber {
        case ENOENT: "there is no such file"
        case EACCES, EPERM: "permission is denied"
        case EISDIR: "it is a directory"
        case ENOTDIR: "a part of its path is not a directory"
        case EMFILE, ENFILE: "too many files are open"
        default: String(cString: strerror(errorNumber))
        }
    }
}
